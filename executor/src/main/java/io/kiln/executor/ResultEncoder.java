package io.kiln.executor;

import io.kiln.api.accumulator.Accumulator;
import java.util.List;

/// Turns what a task computed into what travels to the driver. Thread-safe.
@FunctionalInterface
public interface ResultEncoder {

  /// @param accumulators the task's copies that something was added to
  /// @throws io.kiln.api.KilnException if the value can't be serialised
  TaskResult encode(long taskId, Object value, List<Accumulator<?, ?>> accumulators);
}
