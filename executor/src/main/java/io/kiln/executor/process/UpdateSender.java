package io.kiln.executor.process;

import io.kiln.api.KilnException;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import io.kiln.executor.ExceptionPayload;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.SentException;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Sends what became of tasks to the driver.
final class UpdateSender implements Consumer<TaskUpdates> {
  /// A larger exception is told by its text alone.
  private static final int MAX_EXCEPTION_BYTES = 256 << 10;

  /// More in results goes in another message.
  private static final long MAX_RESULT_BYTES = 8 << 20;

  private final Consumer<TaskUpdates> driver;

  /// @param driver throws `MESSAGE_TOO_LARGE` without having sent anything
  UpdateSender(Consumer<TaskUpdates> driver) {
    this.driver = driver;
  }

  @Override
  public void accept(TaskUpdates updates) {
    List<TaskUpdate> part = new ArrayList<>(updates.updates().size());
    long bytes = 0;
    for (TaskUpdate update : updates.updates()) {
      long more = update instanceof Succeeded succeeded ? sizeBytes(succeeded) : 0;
      if (!part.isEmpty() && bytes + more > MAX_RESULT_BYTES) {
        send(updates, part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(travelling(update));
      bytes += more;
    }
    send(updates, part);
  }

  private static long sizeBytes(Succeeded succeeded) {
    return succeeded.result() instanceof TaskResult.Sent(byte[] value, byte[] accumulators)
        ? (long) value.length + accumulators.length
        : 0;
  }

  private void send(TaskUpdates updates, List<TaskUpdate> part) {
    try {
      driver.accept(new TaskUpdates(updates.executorId(), updates.incarnation(), part));
    } catch (KilnException tooLarge) {
      if (part.size() > 1) {
        part.forEach(update -> send(updates, List.of(update)));
      } else {
        driver.accept(
            new TaskUpdates(
                updates.executorId(),
                updates.incarnation(),
                List.of(refused(part.getFirst().taskId(), tooLarge))));
      }
    }
  }

  /// Another attempt would give the same.
  private static Failed refused(long taskId, KilnException tooLarge) {
    return new Failed(
        taskId,
        new TaskFailure(
            TaskFailure.Kind.FATAL,
            "",
            "what became of the task can't be told to the driver: " + tooLarge.getMessage(),
            "",
            Optional.empty()));
  }

  private static TaskUpdate travelling(TaskUpdate update) {
    if (!(update instanceof Failed(long taskId, TaskFailure failure, TaskMetrics metrics))) {
      return update;
    }
    return new Failed(
        taskId,
        new TaskFailure(
            failure.kind(),
            failure.className(),
            failure.message(),
            failure.stackTrace(),
            failure.exception().flatMap(UpdateSender::serialized)),
        metrics);
  }

  /// A user's exception may hold anything.
  @SuppressWarnings("CatchingUnchecked")
  private static Optional<Payload> serialized(Payload exception) {
    try {
      byte[] bytes = ClosureSerializer.serialize(((ExceptionPayload) exception).exception());
      return bytes.length <= MAX_EXCEPTION_BYTES
          ? Optional.of(new SentException(bytes))
          : Optional.empty();
    } catch (Throwable e) { // its class and text are told all the same
      return Optional.empty();
    }
  }
}
