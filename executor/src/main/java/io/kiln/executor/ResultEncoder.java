package io.kiln.executor;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.protocol.TaskResult;
import java.util.List;

/// Turns what a task computed into what travels to the driver. Thread-safe.
public interface ResultEncoder {

  /// @param accumulators the task's copies that something was added to
  /// @param maxBytes of the value
  /// @throws io.kiln.api.KilnException if the value can't be serialised
  /// @throws io.kiln.storage.serializer.SizeLimitExceeded if it takes more
  TaskResult encode(long taskId, Object value, List<Accumulator<?, ?>> accumulators, int maxBytes);

  /// Nobody will ask for what was encoded: the task has failed all the same.
  void forget(long taskId);
}
