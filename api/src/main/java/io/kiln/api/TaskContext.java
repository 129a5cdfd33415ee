package io.kiln.api;

import io.kiln.api.spi.TaskRuntime;
import java.util.Optional;

/// The task that the current thread runs. Used by that thread only, except [#isInterrupted].
public abstract class TaskContext {
  private static final ThreadLocal<TaskContext> CURRENT = new ThreadLocal<>();

  /// The task of this thread; empty outside tasks.
  public static Optional<TaskContext> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /// For the engine: sets or, with `null`, clears this thread's task.
  protected static void setCurrent(TaskContext context) {
    if (context == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(context);
    }
  }

  public abstract int stageId();

  /// How often the stage was started before, as a whole.
  public abstract int stageAttemptNumber();

  public abstract int partitionId();

  /// How many tasks of this partition in this stage attempt came before, from 0.
  public abstract int attemptNumber();

  /// Unique in the application.
  public abstract long taskAttemptId();

  /// Of the job that this task works for; inherited from the thread that submitted it.
  public abstract Optional<String> localProperty(String key);

  /// Whether the task should end early: it was cancelled, or its result is not needed any more.
  public abstract boolean isInterrupted();

  /// @throws KilnException if [#isInterrupted]
  public abstract void throwIfInterrupted();

  /// Runs `action` when the task ends, whichever way; the last added runs first. It may add to
  /// accumulators, and register others. If it throws, the task fails and the others run all the
  /// same. Thread-safe; when the task has ended, it runs at once.
  public abstract void onCompletion(Runnable action);

  /// Runs `action` if the task fails, before the completion actions; also if it is one of those
  /// that fails, or the task was killed. Thread-safe.
  public abstract void onFailure(java.util.function.Consumer<Throwable> action);

  /// For the engine and for RDDs.
  public abstract TaskRuntime runtime();
}
