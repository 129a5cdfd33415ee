package io.kiln.executor.process;

import io.kiln.base.closure.ClosureSerializer;
import io.kiln.executor.TaskSnapshot;
import io.kiln.protocol.ExecutorReport.SentValue;
import io.kiln.protocol.ExecutorReport.TaskProgress;
import io.kiln.protocol.ExecutorReport.TasksProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends to the driver how far tasks are, in one message of bounded size. Used by one thread.
final class ProgressSender implements Consumer<List<TaskSnapshot>> {
  private static final Logger LOG = LoggerFactory.getLogger(ProgressSender.class);

  /// All that accumulators hold, in one message. Less than the smallest limit of messages.
  static final int MAX_VALUE_BYTES = 256 << 10;

  private final String executorId;
  private final Consumer<TasksProgress> driver;

  ProgressSender(String executorId, Consumer<TasksProgress> driver) {
    this.executorId = executorId;
    this.driver = driver;
  }

  @Override
  public void accept(List<TaskSnapshot> snapshots) {
    List<TaskProgress> tasks = new ArrayList<>(snapshots.size());
    int room = MAX_VALUE_BYTES;
    for (TaskSnapshot task : snapshots) {
      List<SentValue> values = new ArrayList<>();
      for (TaskSnapshot.Counted counted : task.accumulators()) {
        Optional<byte[]> value = serialized(counted, room);
        if (value.isPresent()) {
          room -= value.get().length;
          values.add(
              new SentValue(
                  counted.original().id(), counted.original().name().orElse(""), value.get()));
        }
      }
      tasks.add(new TaskProgress(task.task(), task.metrics(), values));
    }
    driver.accept(new TasksProgress(executorId, tasks));
  }

  /// @return empty if it takes more room, or can't be had
  @SuppressWarnings("CatchingUnchecked") // it is the user's code
  private static Optional<byte[]> serialized(TaskSnapshot.Counted counted, int room) {
    try {
      return ClosureSerializer.serializeWithin(room, counted.copy().value());
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      LOG.debug("The value so far of accumulator {} can't be sent", counted.original().id(), e);
      return Optional.empty();
    }
  }
}
