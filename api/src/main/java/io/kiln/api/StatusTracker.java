package io.kiln.api;

import io.kiln.api.spi.StatusView;
import java.util.List;
import java.util.Optional;

/// What runs in a context, at the moment of the call. Old jobs and stages are forgotten after a
/// while. Thread-safe.
public final class StatusTracker {
  private final StatusView status;

  StatusTracker(StatusView status) {
    this.status = status;
  }

  /// The jobs of a group that are known still, running or not.
  public List<Integer> jobIdsForGroup(String group) {
    return status.jobIdsOfGroup(group);
  }

  /// The jobs that belong to no group.
  public List<Integer> jobIdsWithoutGroup() {
    return status.jobIdsOfGroup(null);
  }

  /// The jobs that run now.
  public List<Integer> activeJobIds() {
    return status.activeJobIds();
  }

  /// The stages that run now.
  public List<Integer> activeStageIds() {
    return status.activeStageIds();
  }

  /// Empty if the job is not known, or not any more.
  public Optional<JobStatus> job(int jobId) {
    return status.job(jobId);
  }

  /// Empty if the stage is not known, or not any more.
  public Optional<StageStatus> stage(int stageId) {
    return status.stage(stageId);
  }
}
