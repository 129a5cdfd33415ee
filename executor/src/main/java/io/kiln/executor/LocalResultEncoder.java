package io.kiln.executor;

import io.kiln.api.Pair;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.protocol.TaskResult;
import io.kiln.storage.serializer.ObjectSerializer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// For a driver in the same process. Thread-safe.
///
/// An immutable leaf, or a pair of them, passes as it is. Anything else is serialised in the task's
/// thread, so that its size is known and the driver shares no object with the tasks, and
/// deserialised in the thread that waits for the job.
public final class LocalResultEncoder implements ResultEncoder {
  private static final long LEAF_BYTES = 16;

  private final Supplier<ObjectSerializer> serializer;

  /// @param serializer made when first needed; answers the same at each call
  public LocalResultEncoder(Supplier<ObjectSerializer> serializer) {
    this.serializer = serializer;
  }

  @Override
  public TaskResult encode(
      long taskId, Object value, List<Accumulator<?, ?>> accumulators, int maxBytes) {
    if (value == null && accumulators.isEmpty()) {
      return TaskResult.Local.NOTHING;
    }
    if (isImmutable(value)) {
      return new TaskResult.Local(value, false, sizeBytes(value), accumulators);
    }
    byte[] bytes = serializer.get().toBytes(value, maxBytes);
    return new TaskResult.Local(bytes, true, bytes.length, accumulators);
  }

  @Override
  public void forget(long taskId) {} // nothing is kept

  // Without pattern switches, as every start comes here: StartUpTest counts the classes.

  private static boolean isImmutable(Object value) {
    if (value instanceof Pair<?, ?> pair) {
      return isLeaf(pair.key()) && isLeaf(pair.value());
    }
    if (value instanceof Optional<?> optional) {
      return isLeaf(optional.orElse(null));
    }
    return isLeaf(value);
  }

  private static boolean isLeaf(Object value) {
    if (value == null) {
      return true;
    }
    Class<?> type = value.getClass();
    return type == Long.class
        || type == Integer.class
        || type == String.class
        || type == Boolean.class
        || type == Double.class
        || type == Float.class
        || type == Character.class
        || type == Byte.class
        || type == Short.class
        || type == UUID.class
        || type == BigInteger.class
        || type == BigDecimal.class
        || value instanceof Enum<?>;
  }

  private static long sizeBytes(Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof String text) {
      return LEAF_BYTES + text.length();
    }
    if (value instanceof BigInteger number) {
      return LEAF_BYTES + number.bitLength() / 8;
    }
    if (value instanceof BigDecimal number) {
      return LEAF_BYTES + number.unscaledValue().bitLength() / 8;
    }
    if (value instanceof Pair<?, ?> pair) {
      return LEAF_BYTES + sizeBytes(pair.key()) + sizeBytes(pair.value());
    }
    if (value instanceof Optional<?> optional) {
      return LEAF_BYTES + sizeBytes(optional.orElse(null));
    }
    return LEAF_BYTES;
  }
}
