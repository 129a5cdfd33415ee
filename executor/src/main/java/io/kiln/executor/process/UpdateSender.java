package io.kiln.executor.process;

import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import io.kiln.executor.ExceptionPayload;
import io.kiln.executor.SentException;
import io.kiln.executor.protocol.ExecutorProtocol;
import io.kiln.network.transport.Link;
import io.kiln.scheduler.task.TaskFailure;
import io.kiln.scheduler.task.TaskMessage.Failed;
import io.kiln.scheduler.task.TaskMessage.TaskUpdate;
import io.kiln.scheduler.task.TaskMessage.TaskUpdates;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Sends what became of tasks to the driver.
final class UpdateSender implements Consumer<TaskUpdates> {
  /// A larger exception is told by its text alone.
  private static final int MAX_EXCEPTION_BYTES = 256 << 10;

  private final Link driver;

  UpdateSender(Link driver) {
    this.driver = driver;
  }

  @Override
  public void accept(TaskUpdates updates) {
    List<TaskUpdate> sent = updates.updates();
    for (int i = 0; i < sent.size(); i++) {
      if (sent.get(i) instanceof Failed) {
        sent = sent.stream().map(UpdateSender::travelling).toList();
        break;
      }
    }
    driver.send(
        ExecutorProtocol.SCHEDULER,
        new TaskUpdates(updates.executorId(), updates.incarnation(), sent));
  }

  private static TaskUpdate travelling(TaskUpdate update) {
    if (!(update instanceof Failed(long taskId, TaskFailure failure))) {
      return update;
    }
    return new Failed(
        taskId,
        new TaskFailure(
            failure.kind(),
            failure.className(),
            failure.message(),
            failure.stackTrace(),
            failure.exception().flatMap(UpdateSender::serialized)));
  }

  /// A user's exception may hold anything.
  @SuppressWarnings("CatchingUnchecked")
  private static Optional<Payload> serialized(Payload exception) {
    try {
      byte[] bytes = ClosureSerializer.serialize(((ExceptionPayload) exception).exception());
      return bytes.length <= MAX_EXCEPTION_BYTES
          ? Optional.of(new SentException(bytes))
          : Optional.empty();
    } catch (Exception | StackOverflowError e) {
      return Optional.empty();
    }
  }
}
