package io.kiln.protocol;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.machine.Payload;
import java.util.List;

/// What a task hands to the client of its job.
public sealed interface TaskResult extends Payload {
  /// What the result counts towards the limit on a job's results.
  long sizeBytes();

  /// Within one process.
  ///
  /// @param value the result itself if it is immutable, or its serialised form
  /// @param serialized whether `value` is a `byte[]` to be deserialised
  /// @param accumulators the task's copies, which nobody changes any more
  record Local(
      Object value, boolean serialized, long sizeBytes, List<Accumulator<?, ?>> accumulators)
      implements TaskResult {
    /// Of a task that has nothing to tell.
    public static final Local NOTHING = new Local(null, false, 0, List.of());
  }

  /// Between processes.
  ///
  /// @param value serialised
  /// @param accumulators the task's copies, serialised; empty if there are none
  record Sent(byte[] value, byte[] accumulators) implements TaskResult {
    @Override
    public long sizeBytes() {
      return value.length;
    }
  }

  /// Too large for a message: the executor keeps the value until the driver has fetched it.
  ///
  /// @param accumulators as those of [Sent]
  record Kept(long taskId, long sizeBytes, byte[] accumulators) implements TaskResult {}
}
