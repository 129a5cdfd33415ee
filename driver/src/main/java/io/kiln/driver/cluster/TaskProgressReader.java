package io.kiln.driver.cluster;

import io.kiln.api.listener.KilnEvent.AccumulatorValue;
import io.kiln.api.listener.KilnEvent.TaskProgress;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.executor.TaskSnapshot;
import io.kiln.protocol.ExecutorReport;
import io.kiln.protocol.ExecutorReport.SentValue;
import io.kiln.protocol.ExecutorReport.TasksProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts what executors say of running tasks into the words of listeners.
public final class TaskProgressReader {
  private static final Logger LOG = LoggerFactory.getLogger(TaskProgressReader.class);

  private TaskProgressReader() {}

  /// From an executor in this process.
  public static List<TaskProgress> of(List<TaskSnapshot> tasks) {
    List<TaskProgress> progress = new ArrayList<>(tasks.size());
    for (TaskSnapshot task : tasks) {
      List<AccumulatorValue> values = new ArrayList<>(task.accumulators().size());
      for (TaskSnapshot.Counted counted : task.accumulators()) {
        values.add(
            new AccumulatorValue(
                counted.original().id(), counted.original().name(), counted.copy().value()));
      }
      progress.add(new TaskProgress(task.task(), task.metrics(), List.copyOf(values)));
    }
    return progress;
  }

  /// From an executor in another process. Reads what users wrote: not for a thread for which others
  /// wait.
  static List<TaskProgress> of(TasksProgress sent, ApplicationClasses classes) {
    List<TaskProgress> progress = new ArrayList<>(sent.tasks().size());
    for (ExecutorReport.TaskProgress task : sent.tasks()) {
      List<AccumulatorValue> values = new ArrayList<>(task.accumulators().size());
      for (SentValue value : task.accumulators()) {
        restored(value, classes).ifPresent(values::add);
      }
      progress.add(new TaskProgress(task.task(), task.metrics(), List.copyOf(values)));
    }
    return progress;
  }

  /// Its class may be missing here, or read itself in any way.
  @SuppressWarnings("CatchingUnchecked")
  private static Optional<AccumulatorValue> restored(SentValue sent, ApplicationClasses classes) {
    try {
      Object value = ClosureSerializer.deserialize(sent.serialized(), classes);
      return Optional.ofNullable(value)
          .map(
              known ->
                  new AccumulatorValue(
                      sent.accumulatorId(),
                      Optional.of(sent.name()).filter(name -> !name.isEmpty()),
                      known));
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.debug("The value so far of accumulator {} can't be read", sent.accumulatorId(), e);
      return Optional.empty();
    }
  }
}
