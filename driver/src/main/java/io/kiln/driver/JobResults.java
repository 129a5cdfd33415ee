package io.kiln.driver;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import io.kiln.executor.ExceptionPayload;
import io.kiln.protocol.SentException;
import io.kiln.protocol.TaskResult;
import io.kiln.storage.serializer.ObjectSerializer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Takes tasks' results apart: accumulators' updates to the accumulators, values to the caller.
/// Thread-safe. A pattern switch here would be met by every start, for which the JVM makes eight
/// classes; `StartUpTest` counts them.
///
/// @param serializer made when first needed; answers the same at each call
/// @param maxSizeBytes of all results of one job; 0 for no limit
record JobResults(
    Supplier<ObjectSerializer> serializer,
    ApplicationClasses classes,
    AccumulatorRegistry accumulators,
    long maxSizeBytes) {

  /// Adds what the task added to accumulators.
  void mergeAccumulators(Payload payload) {
    TaskResult result = (TaskResult) payload;
    List<Accumulator<?, ?>> updates =
        result instanceof TaskResult.Local local
            ? local.accumulators()
            : restored(((TaskResult.Sent) result).accumulators());
    if (!updates.isEmpty()) {
      accumulators.merge(updates);
    }
  }

  @SuppressWarnings("unchecked") // what an executor wrote
  private List<Accumulator<?, ?>> restored(byte[] serialized) {
    return serialized.length == 0
        ? List.of()
        : (List<Accumulator<?, ?>>) ClosureSerializer.deserialize(serialized, classes);
  }

  /// The value that the task computed, or a copy of it.
  Object value(Payload payload) {
    if (payload instanceof TaskResult.Local local) {
      return local.serialized()
          ? serializer.get().fromBytes((byte[]) local.value())
          : local.value();
    }
    byte[] value = ((TaskResult.Sent) payload).value(); // those that were kept have been fetched
    return value.length == 0 ? null : serializer.get().fromBytes(value);
  }

  static long sizeBytes(Payload payload) {
    return ((TaskResult) payload).sizeBytes();
  }

  /// The exception that ended a task, if it can be had.
  Optional<Throwable> exception(Payload payload) {
    return switch (payload) {
      case ExceptionPayload(Throwable exception) -> Optional.of(exception);
      case SentException(byte[] serialized) -> restoredException(serialized);
      default -> Optional.empty();
    };
  }

  /// Its class may be missing here, or read itself in any way.
  @SuppressWarnings("CatchingUnchecked")
  private Optional<Throwable> restoredException(byte[] serialized) {
    try {
      return Optional.of((Throwable) ClosureSerializer.deserialize(serialized, classes));
    } catch (Exception | LinkageError e) {
      return Optional.empty();
    }
  }
}
