package io.kiln.scheduler.dag;

import java.util.List;

/// What a job that has not ended waits for.
///
/// @param running the attempts of stages that it needs
/// @param isForPlan whether its client is to plan it anew
/// @param isForOthers whether it can't go on before another job has read what is to be made again
public record JobWait(
    int jobId, List<StageAttempt> running, boolean isForPlan, boolean isForOthers) {
  public record StageAttempt(int stageId, int attempt) {}

  public JobWait {
    running = List.copyOf(running);
  }
}
