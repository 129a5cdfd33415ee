package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The jobs that have not ended, and the stages in their graphs.
final class ActiveJobs {
  private final Shuffles shuffles;
  private final Map<Integer, JobState> jobs = new LinkedHashMap<>();
  private final Map<Integer, StageState> stages = new LinkedHashMap<>();

  /// The stages by the shuffles that they write.
  private final Map<Integer, MapStageState> writers = new HashMap<>();

  ActiveJobs(Shuffles shuffles) {
    this.shuffles = shuffles;
  }

  boolean contains(int jobId) {
    return jobs.containsKey(jobId);
  }

  Optional<JobState> find(int jobId) {
    return Optional.ofNullable(jobs.get(jobId));
  }

  /// Takes over what a plan says of its stages; those that jobs share change for all.
  ///
  /// @param partitions of the result stage, if that is new
  /// @return whether a stage that was there reads other shuffles now: then [#linkAll] has to follow
  boolean plan(StageGraph graph, int[] partitions) {
    boolean isChange = false;
    for (StageGraph.Stage planned : graph.stages()) {
      StageState known = stages.get(planned.stageId());
      if (known == null) {
        add(newState(planned, partitions));
      } else {
        isChange |= !known.stage().inputs().equals(planned.inputs());
        known.plan(planned);
      }
    }
    return isChange;
  }

  private void add(StageState stage) {
    stages.put(stage.id(), stage);
    if (stage instanceof MapStageState map) {
      writers.put(map.outputs().shuffleId(), map);
    }
  }

  /// A job whose stages are known.
  JobState add(SubmitJob submitted) {
    StageState result = stages.get(submitted.graph().resultStage().stageId());
    JobState job = new JobState(submitted, (ResultStageState) result);
    jobs.put(job.id(), job);
    link(job);
    return job;
  }

  private StageState newState(StageGraph.Stage stage, int[] partitions) {
    return stage.writesShuffle()
        ? new MapStageState(stage, shuffles.of(stage))
        : new ResultStageState(stage, partitions);
  }

  /// Finds again which stages each job may need. Some may have no job after it.
  void linkAll() {
    stages.values().forEach(stage -> stage.jobs().clear());
    jobs.values().forEach(this::link);
  }

  private void link(JobState job) {
    job.assignStages(reachedFrom(job.resultStage()));
    job.stages().forEach(stage -> stage.jobs().add(job.id()));
  }

  /// The stage and, before each, those that it needs.
  private List<StageState> reachedFrom(StageState last) {
    Set<StageState> opened = new LinkedHashSet<>();
    Set<StageState> reached = new LinkedHashSet<>();
    Deque<StageState> open = new ArrayDeque<>();
    open.addLast(last);
    while (!open.isEmpty()) {
      StageState next = open.peekLast();
      if (!opened.add(next)) {
        reached.add(open.removeLast());
        continue;
      }
      for (int shuffleId : next.stage().inputs().needed().reversed()) {
        StageState parent = writers.get(shuffleId);
        if (parent == null) {
          throw new IllegalArgumentException(
              next.describe() + " reads shuffle " + shuffleId + ", which no stage writes");
        }
        if (!opened.contains(parent)) {
          open.addLast(parent);
        }
      }
    }
    return List.copyOf(reached);
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
    if (stage instanceof MapStageState map) {
      writers.remove(map.outputs().shuffleId());
      if (map.outputs().isForgotten()) {
        shuffles.remove(map.outputs().shuffleId());
      }
    }
  }

  /// Nobody refers to the shuffle any more, apart from jobs under way.
  void forgetShuffle(int shuffleId) {
    if (writers.containsKey(shuffleId)) {
      shuffles.find(shuffleId).ifPresent(MapOutputs::forget);
    } else {
      shuffles.remove(shuffleId);
    }
  }
}
