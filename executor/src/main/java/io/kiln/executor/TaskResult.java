package io.kiln.executor;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.machine.Payload;
import io.kiln.storage.TaskStorageMetrics;
import java.util.List;

/// What a task hands to the client of its job.
///
/// @param value the result itself if it is immutable, or its serialised form
/// @param serialized whether `value` is a `byte[]` to be deserialised
/// @param sizeBytes what the result counts towards the limit on a job's results
/// @param accumulators the task's copies, which nobody changes any more
/// @param metrics what the task moved in storage
public record TaskResult(
    Object value,
    boolean serialized,
    long sizeBytes,
    List<Accumulator<?, ?>> accumulators,
    TaskStorageMetrics metrics)
    implements Payload {
  /// Of a task that touched no storage.
  static final TaskStorageMetrics NO_METRICS = new TaskStorageMetrics(0, 0, 0, 0, 0, 0, 0);

  /// Of a task that has nothing to tell.
  public static final TaskResult NOTHING = new TaskResult(null, false, 0, List.of(), NO_METRICS);
}
