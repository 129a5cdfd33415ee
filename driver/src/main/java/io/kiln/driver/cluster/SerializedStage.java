package io.kiln.driver.cluster;

import io.kiln.base.machine.Payload;
import java.util.List;

/// A stage as it travels to executors.
///
/// @param work its serialised [io.kiln.executor.StageWork]
/// @param shared whether all that the user gave is known to be immutable, so that an executor's
///     tasks may use the same objects
/// @param splits the serialised partitions by number; an empty one is only a number, or not
///     needed. Empty if every one is
public record SerializedStage(byte[] work, boolean shared, List<byte[]> splits) implements Payload {
  /// Of a partition that is only a number.
  public static final byte[] NUMBER_ONLY = new byte[0];

  /// The serialised partition, or [#NUMBER_ONLY].
  byte[] split(int partition) {
    return splits.isEmpty() ? NUMBER_ONLY : splits.get(partition);
  }
}
