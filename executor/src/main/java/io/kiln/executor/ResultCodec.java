package io.kiln.executor;

import io.kiln.api.Pair;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.storage.TaskStorageMetrics;
import io.kiln.storage.serializer.ObjectSerializer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Turns what a task computed into what travels to the driver, and back. Thread-safe.
///
/// An immutable leaf, or a pair of them, passes as it is. Anything else is serialised in the task's
/// thread, so that its size is known and the driver shares no object with the tasks, and
/// deserialised in the thread that waits for the job.
public final class ResultCodec {
  private static final int LEAF_BYTES = 16;

  private final Supplier<ObjectSerializer> serializer;

  /// @param serializer made when first needed; answers the same at each call
  public ResultCodec(Supplier<ObjectSerializer> serializer) {
    this.serializer = serializer;
  }

  /// @throws io.kiln.api.KilnException `NOT_SERIALIZABLE`
  TaskResult encode(
      Object value, List<Accumulator<?, ?>> accumulators, TaskStorageMetrics metrics) {
    if (value == null && accumulators.isEmpty() && metrics.equals(TaskResult.NO_METRICS)) {
      return TaskResult.NOTHING;
    }
    if (isImmutable(value)) {
      return new TaskResult(value, false, sizeBytes(value), accumulators, metrics);
    }
    byte[] bytes = serializer.get().toBytes(value);
    return new TaskResult(bytes, true, bytes.length, accumulators, metrics);
  }

  /// The value that the task computed, or a copy of it.
  public Object decode(TaskResult result) {
    return result.serialized()
        ? serializer.get().fromBytes((byte[]) result.value())
        : result.value();
  }

  private static boolean isImmutable(Object value) {
    return switch (value) {
      case null -> true;
      case Pair<?, ?> pair -> isLeaf(pair.key()) && isLeaf(pair.value());
      case Optional<?> optional -> isLeaf(optional.orElse(null));
      default -> isLeaf(value);
    };
  }

  private static boolean isLeaf(Object value) {
    return switch (value) {
      case null -> true;
      case Long _, Integer _, String _, Boolean _, Double _, Float _ -> true;
      case Character _, Byte _, Short _, UUID _, Enum<?> _ -> true;
      case BigInteger number -> number.getClass() == BigInteger.class;
      case BigDecimal number -> number.getClass() == BigDecimal.class;
      default -> false;
    };
  }

  private static long sizeBytes(Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> LEAF_BYTES + text.length();
      case BigInteger number -> LEAF_BYTES + number.bitLength() / 8;
      case BigDecimal number -> LEAF_BYTES + number.unscaledValue().bitLength() / 8;
      case Pair<?, ?> pair -> LEAF_BYTES + sizeBytes(pair.key()) + sizeBytes(pair.value());
      case Optional<?> optional -> LEAF_BYTES + sizeBytes(optional.orElse(null));
      default -> LEAF_BYTES;
    };
  }
}
