package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The jobs that have not ended, and the stages in their graphs.
final class ActiveJobs {
  private final Shuffles shuffles;
  private final Map<Integer, JobState> jobs = new LinkedHashMap<>();
  private final Map<Integer, StageState> stages = new LinkedHashMap<>();

  ActiveJobs(Shuffles shuffles) {
    this.shuffles = shuffles;
  }

  boolean contains(int jobId) {
    return jobs.containsKey(jobId);
  }

  JobState add(SubmitJob submitted) {
    List<StageState> found = new ArrayList<>(submitted.graph().stages().size());
    for (StageGraph.Stage stage : submitted.graph().stages()) {
      found.add(stages.computeIfAbsent(stage.stageId(), _ -> newState(stage, submitted)));
    }
    JobState job = new JobState(submitted, found);
    jobs.put(job.id(), job);
    found.forEach(stage -> stage.jobs().add(job.id()));
    return job;
  }

  private StageState newState(StageGraph.Stage stage, SubmitJob submitted) {
    return stage.writesShuffle()
        ? new MapStageState(stage, shuffles.of(stage))
        : new ResultStageState(stage, submitted.partitions());
  }

  /// Its stages stay until they are removed.
  void remove(JobState job) {
    jobs.remove(job.id());
    job.stages().forEach(stage -> stage.jobs().remove(job.id()));
  }

  /// A copy, in the order of submission.
  List<JobState> all() {
    return List.copyOf(jobs.values());
  }

  /// Those that have the stage in their graphs, by id; a copy.
  List<JobState> of(StageState stage) {
    List<JobState> found = new ArrayList<>(stage.jobs().size());
    for (int jobId : stage.jobs()) {
      found.add(jobs.get(jobId));
    }
    return found;
  }

  /// The job of a result stage.
  JobState of(ResultStageState stage) {
    return jobs.get(stage.jobs().getFirst());
  }

  /// Those that can't do without the stage now, by id.
  List<JobState> needing(StageState stage) {
    List<JobState> found = of(stage);
    found.removeIf(job -> !job.needs(stage));
    return found;
  }

  /// The job that hears of the stage's tasks.
  JobState payer(StageState stage) {
    return jobs.get(stage.payer());
  }

  Optional<StageState> stage(int stageId) {
    return Optional.ofNullable(stages.get(stageId));
  }

  /// A view.
  Collection<StageState> stages() {
    return Collections.unmodifiableCollection(stages.values());
  }

  /// No job has it any more.
  void remove(StageState stage) {
    stages.remove(stage.id());
    if (stage instanceof MapStageState map && map.outputs().isForgotten()) {
      shuffles.remove(map.outputs().shuffleId());
    }
  }

  /// Nobody refers to the shuffle any more, apart from jobs under way.
  void forgetShuffle(int shuffleId) {
    boolean inUse =
        stages.values().stream().anyMatch(stage -> stage.stage().shuffleId() == shuffleId);
    if (inUse) {
      shuffles.find(shuffleId).ifPresent(MapOutputs::forget);
    } else {
      shuffles.remove(shuffleId);
    }
  }
}
