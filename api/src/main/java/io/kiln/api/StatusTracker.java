package io.kiln.api;

import io.kiln.api.spi.StatusView;
import java.util.List;
import java.util.Optional;

/// Tells what runs in a context at the moment of the call. It forgets old jobs and stages after a
/// while. Thread-safe.
public final class StatusTracker {
  private final StatusView status;

  StatusTracker(StatusView status) {
    this.status = status;
  }

  /// Returns the jobs of a group that are not forgotten, whether they run or not.
  public List<Integer> jobIdsForGroup(String group) {
    return status.jobIdsOfGroup(group);
  }

  /// Returns the jobs that belong to no group.
  public List<Integer> jobIdsWithoutGroup() {
    return status.jobIdsOfGroup(null);
  }

  /// Returns the jobs that run now.
  public List<Integer> activeJobIds() {
    return status.activeJobIds();
  }

  /// Returns the stages that run now.
  public List<Integer> activeStageIds() {
    return status.activeStageIds();
  }

  /// Returns the status of a job. It is empty if the job was never there, or is forgotten.
  public Optional<JobStatus> job(int jobId) {
    return status.job(jobId);
  }

  /// Returns the status of a stage. It is empty if the stage was never there, or is forgotten.
  public Optional<StageStatus> stage(int stageId) {
    return status.stage(stageId);
  }
}
