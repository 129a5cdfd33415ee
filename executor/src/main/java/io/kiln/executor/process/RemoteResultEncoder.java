package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.executor.ResultEncoder;
import io.kiln.protocol.TaskResult;
import io.kiln.storage.serializer.ObjectSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// For a driver in another process: everything as bytes, and what is too large for a message is
/// kept until the driver fetches it. Thread-safe.
final class RemoteResultEncoder implements ResultEncoder {
  private static final byte[] NONE = new byte[0];
  private static final TaskResult.Sent NOTHING = new TaskResult.Sent(NONE, NONE);

  private final Supplier<ObjectSerializer> serializer;
  private final long maxInMessage;
  private final Map<Long, byte[]> kept = new ConcurrentHashMap<>();

  /// @param maxInMessage larger values are kept
  RemoteResultEncoder(Supplier<ObjectSerializer> serializer, long maxInMessage) {
    this.serializer = serializer;
    this.maxInMessage = maxInMessage;
  }

  @Override
  public TaskResult encode(
      long taskId, Object value, List<Accumulator<?, ?>> accumulators, int maxBytes) {
    if (value == null && accumulators.isEmpty()) {
      return NOTHING;
    }
    byte[] bytes = value == null ? NONE : serializer.get().toBytes(value, maxBytes);
    byte[] updates =
        accumulators.isEmpty() ? NONE : ClosureSerializer.serialize(new ArrayList<>(accumulators));
    if (bytes.length > maxInMessage) {
      kept.put(taskId, bytes);
      return new TaskResult.Kept(taskId, bytes.length, updates);
    }
    return new TaskResult.Sent(bytes, updates);
  }

  @Override
  public void forget(long taskId) {
    kept.remove(taskId);
  }

  /// Hands a kept value over, once.
  ///
  /// @throws KilnException `NO_CONTENT` if it isn't kept
  byte[] take(long taskId) {
    byte[] value = kept.remove(taskId);
    if (value == null) {
      throw new KilnException(
          "NO_CONTENT",
          KilnException.Kind.EXTERNAL,
          "the result of task " + taskId + " is not kept here");
    }
    return value;
  }
}
