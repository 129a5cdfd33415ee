package io.kiln.api;

import io.kiln.api.spi.TaskRuntime;
import java.util.Optional;

/// The task that the current thread runs. Only that thread may use it, except for [#isInterrupted].
public abstract class TaskContext {
  private static final ThreadLocal<TaskContext> CURRENT = new ThreadLocal<>();

  /// Returns the task of this thread. It is empty outside of tasks.
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

  /// Returns how often the whole stage was started before.
  public abstract int stageAttemptNumber();

  public abstract int partitionId();

  /// Returns how many tasks of this partition came before this one, in this stage attempt.
  public abstract int attemptNumber();

  /// Returns an id that no other task attempt of the application has.
  public abstract long taskAttemptId();

  /// Returns a property of the job that this task works for. The job has it from the thread that
  /// submitted it.
  public abstract Optional<String> localProperty(String key);

  /// Returns whether the task should end early, because it was cancelled or its result is not
  /// needed any more.
  public abstract boolean isInterrupted();

  /// @throws KilnException if [#isInterrupted] is true
  public abstract void throwIfInterrupted();

  /// Runs `action` when the task ends, in whichever way. The action that was added last runs first.
  /// An action may add to accumulators, and may add other actions. If an action throws, the task
  /// fails, and the other actions run all the same. If the task has ended already, the action runs
  /// at once. Thread-safe.
  public abstract void onCompletion(Runnable action);

  /// Runs `action` if the task fails, before the actions of [#onCompletion]. It also runs if one of
  /// those fails, or if the task was killed. Thread-safe.
  public abstract void onFailure(java.util.function.Consumer<Throwable> action);

  /// For the engine and for RDDs.
  public abstract TaskRuntime runtime();
}
