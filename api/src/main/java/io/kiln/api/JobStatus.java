package io.kiln.api;

import java.util.List;

/// A job as the status tracker shows it.
public record JobStatus(int jobId, List<Integer> stageIds, State state) {

  /// How far a job is.
  public enum State {
    RUNNING,
    SUCCEEDED,
    FAILED
  }

  public JobStatus {
    stageIds = List.copyOf(stageIds);
  }
}
