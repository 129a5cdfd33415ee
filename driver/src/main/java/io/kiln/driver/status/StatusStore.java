package io.kiln.driver.status;

import io.kiln.api.JobStatus;
import io.kiln.api.StageStatus;
import io.kiln.api.spi.StatusView;
import io.kiln.scheduler.StatusEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// What is known of jobs and stages: all that are active, and the last so many that have ended.
///
/// Thread-safe: one thread brings events, any may look.
public final class StatusStore implements StatusView {
  private final int retainedJobs;
  private final int retainedStages;

  private final Map<Integer, Job> activeJobs = new TreeMap<>();
  private final Map<Integer, Job> endedJobs = new LinkedHashMap<>();

  /// Submitted and not ended.
  private final Map<Integer, Stage> activeStages = new TreeMap<>();

  /// Ended, or known from a job that has not needed them yet; the longest unchanged first.
  private final Map<Integer, Stage> otherStages = new LinkedHashMap<>();

  /// A stage attempt under way.
  ///
  /// @param submissionTimeMillis since the epoch
  record ActiveStage(
      int stageId, long submissionTimeMillis, int numTasks, int numActive, int numSucceeded) {}

  private record Job(JobStatus status, Optional<String> group) {}

  private static final class Stage {
    private final int stageId;
    private final int attempt;
    private final String name;
    private final int numTasks;
    private final long submissionTimeMillis;
    private int active;
    private int succeeded;
    private int failed;

    Stage(StatusEvent.StageStarted started, long submissionTimeMillis) {
      this.stageId = started.stageId();
      this.attempt = started.stageAttempt();
      this.name = started.name();
      this.numTasks = started.numTasks();
      this.submissionTimeMillis = submissionTimeMillis;
    }

    StageStatus status() {
      return new StageStatus(
          stageId, attempt, name, submissionTimeMillis, numTasks, active, succeeded, failed);
    }
  }

  /// @param retainedJobs how many ended jobs are remembered
  /// @param retainedStages how many ended stages are remembered
  public StatusStore(int retainedJobs, int retainedStages) {
    this.retainedJobs = retainedJobs;
    this.retainedStages = retainedStages;
  }

  /// Takes the next event.
  synchronized void accept(StatusEvent event, long nowMillis) {
    switch (event) {
      case StatusEvent.JobStarted started -> jobStarted(started);
      case StatusEvent.JobEnded ended -> jobEnded(ended);
      case StatusEvent.StageStarted started -> {
        otherStages.remove(started.stageId());
        activeStages.put(started.stageId(), new Stage(started, nowMillis));
      }
      case StatusEvent.StageEnded ended -> stageEnded(ended);
      case StatusEvent.StageProgress(
              int stageId,
              int attempt,
              int active,
              int done,
              int failed) -> {
        Stage stage = activeStages.get(stageId);
        if (stage != null && stage.attempt == attempt) {
          stage.active = active;
          stage.succeeded = done;
          stage.failed = failed;
        }
      }
      case StatusEvent.TasksStarted _,
          StatusEvent.TasksEnded _,
          StatusEvent.ExecutorAdded _,
          StatusEvent.ExecutorRemoved _,
          StatusEvent.Warning _ -> {}
    }
  }

  private void jobStarted(StatusEvent.JobStarted started) {
    List<Integer> stageIds = new ArrayList<>(started.stages().size());
    for (StatusEvent.StageStarted stage : started.stages()) {
      stageIds.add(stage.stageId());
      if (!activeStages.containsKey(stage.stageId())) {
        otherStages.putIfAbsent(stage.stageId(), new Stage(stage, 0));
      }
    }
    activeJobs.put(
        started.jobId(),
        new Job(
            new JobStatus(started.jobId(), stageIds, JobStatus.State.RUNNING),
            started.options().group()));
  }

  private void jobEnded(StatusEvent.JobEnded ended) {
    Job job = activeJobs.remove(ended.jobId());
    if (job != null) {
      JobStatus.State state =
          ended.error().isEmpty() ? JobStatus.State.SUCCEEDED : JobStatus.State.FAILED;
      endedJobs.put(
          ended.jobId(),
          new Job(new JobStatus(ended.jobId(), job.status.stageIds(), state), job.group));
      forget(endedJobs, retainedJobs);
      forget(otherStages, retainedStages);
    }
  }

  private void stageEnded(StatusEvent.StageEnded ended) {
    Stage stage = activeStages.get(ended.stageId());
    if (stage != null && stage.attempt == ended.stageAttempt()) {
      activeStages.remove(ended.stageId());
      stage.active = 0;
      if (ended.error().isEmpty()) {
        stage.succeeded = stage.numTasks;
      }
      otherStages.put(ended.stageId(), stage);
    }
  }

  private static void forget(Map<Integer, ?> history, int retained) {
    Iterator<Integer> oldest = history.keySet().iterator();
    for (int excess = history.size() - retained; excess > 0; excess--) {
      oldest.next();
      oldest.remove();
    }
  }

  @Override
  public synchronized List<Integer> activeJobIds() {
    return List.copyOf(activeJobs.keySet());
  }

  @Override
  public synchronized List<Integer> activeStageIds() {
    return List.copyOf(activeStages.keySet());
  }

  @Override
  public synchronized List<Integer> jobIdsOfGroup(String group) {
    List<Integer> jobIds = new ArrayList<>();
    for (Map<Integer, Job> jobs : List.of(endedJobs, activeJobs)) {
      jobs.forEach(
          (jobId, job) -> {
            if (Objects.equals(job.group.orElse(null), group)) {
              jobIds.add(jobId);
            }
          });
    }
    return List.copyOf(jobIds);
  }

  @Override
  public synchronized Optional<JobStatus> job(int jobId) {
    Job job = activeJobs.get(jobId);
    if (job == null) {
      job = endedJobs.get(jobId);
    }
    return Optional.ofNullable(job).map(Job::status);
  }

  @Override
  public synchronized Optional<StageStatus> stage(int stageId) {
    Stage stage = activeStages.get(stageId);
    if (stage == null) {
      stage = otherStages.get(stageId);
    }
    return Optional.ofNullable(stage).map(Stage::status);
  }

  /// The stages under way, by id.
  synchronized List<ActiveStage> underWay() {
    List<ActiveStage> stages = new ArrayList<>(activeStages.size());
    for (Stage stage : activeStages.values()) {
      stages.add(
          new ActiveStage(
              stage.stageId,
              stage.submissionTimeMillis,
              stage.numTasks,
              stage.active,
              stage.succeeded));
    }
    return stages;
  }

  synchronized boolean isIdle() {
    return activeStages.isEmpty();
  }
}
