package io.kiln.executor;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.listener.KilnEvent.TaskInfo;
import io.kiln.api.listener.TaskMetrics;
import java.util.List;

/// How far a running task is.
///
/// @param accumulators what it has added to, as it was
public record TaskSnapshot(TaskInfo task, TaskMetrics metrics, List<Counted> accumulators) {

  /// @param copy shared with nobody; has no identity of its own
  public record Counted(Accumulator<?, ?> original, Accumulator<?, ?> copy) {}
}
