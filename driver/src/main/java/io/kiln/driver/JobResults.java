package io.kiln.driver;

import io.kiln.api.accumulator.Accumulator;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import io.kiln.executor.ApplicationClasses;
import io.kiln.executor.ExceptionPayload;
import io.kiln.executor.SentException;
import io.kiln.executor.TaskResult;
import io.kiln.storage.serializer.ObjectSerializer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Takes tasks' results apart: accumulators' updates to the accumulators, values to the caller.
/// Thread-safe.
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
    List<Accumulator<?, ?>> updates =
        switch ((TaskResult) payload) {
          case TaskResult.Local local -> local.accumulators();
          case TaskResult.Sent sent -> restored(sent.accumulators());
          case TaskResult.Kept kept -> restored(kept.accumulators());
        };
    if (!updates.isEmpty()) {
      accumulators.merge(updates);
    }
  }

  @SuppressWarnings("unchecked") // what an executor wrote
  private List<Accumulator<?, ?>> restored(byte[] serialized) {
    return serialized.length == 0
        ? List.of()
        : (List<Accumulator<?, ?>>) ClosureSerializer.deserialize(serialized, classes.restoring());
  }

  /// The value that the task computed, or a copy of it.
  Object value(Payload payload) {
    return switch ((TaskResult) payload) {
      case TaskResult.Local(Object value, boolean serialized, _, _, _) ->
          serialized ? serializer.get().fromBytes((byte[]) value) : value;
      case TaskResult.Sent(byte[] value, _, _) ->
          value.length == 0 ? null : serializer.get().fromBytes(value);
      case TaskResult.Kept kept ->
          throw new IllegalStateException(
              "the result of task " + kept.taskId() + " was not fetched");
    };
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
      return Optional.of(
          (Throwable) ClosureSerializer.deserialize(serialized, classes.restoring()));
    } catch (Exception | LinkageError e) {
      return Optional.empty();
    }
  }
}
