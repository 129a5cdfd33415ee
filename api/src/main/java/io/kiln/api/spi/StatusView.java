package io.kiln.api.spi;

import io.kiln.api.JobStatus;
import io.kiln.api.StageStatus;
import java.util.List;
import java.util.Optional;

/// What the engine knows of its jobs and stages at the moment of the call.
public interface StatusView {

  List<Integer> activeJobIds();

  List<Integer> activeStageIds();

  /// @param group `null` for jobs of no group
  List<Integer> jobIdsOfGroup(String group);

  Optional<JobStatus> job(int jobId);

  Optional<StageStatus> stage(int stageId);
}
