package io.kiln.driver;

import io.kiln.base.machine.Payload;
import io.kiln.executor.ResultCodec;
import io.kiln.executor.TaskResult;

/// Takes tasks' results apart: accumulators' updates to the accumulators, values to the caller.
/// Thread-safe.
///
/// @param maxSizeBytes of all results of one job; 0 for no limit
record JobResults(ResultCodec codec, AccumulatorRegistry accumulators, long maxSizeBytes) {

  /// Adds what the task added to accumulators.
  void mergeAccumulators(Payload payload) {
    TaskResult result = (TaskResult) payload;
    if (!result.accumulators().isEmpty()) {
      accumulators.merge(result.accumulators());
    }
  }

  Object value(Payload payload) {
    return codec.decode((TaskResult) payload);
  }

  static long sizeBytes(Payload payload) {
    return ((TaskResult) payload).sizeBytes();
  }
}
