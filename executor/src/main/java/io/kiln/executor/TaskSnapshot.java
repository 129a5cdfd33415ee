package io.kiln.executor;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.TaskMetrics;
import java.util.List;

/// How far a running task is.
///
/// @param attempt how many of the partition came before in this stage attempt
/// @param accumulators what it has added to, as it was
public record TaskSnapshot(
    long taskId,
    int stageId,
    int stageAttempt,
    int partition,
    int attempt,
    TaskMetrics metrics,
    List<Counted> accumulators) {

  /// @param copy shared with nobody; has no identity of its own
  public record Counted(Accumulator<?, ?> original, Accumulator<?, ?> copy) {}
}
