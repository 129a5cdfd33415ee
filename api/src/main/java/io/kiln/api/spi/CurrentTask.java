package io.kiln.api.spi;

import io.kiln.api.TaskContext;

/// Changes which task a thread is taken to run.
public abstract class CurrentTask extends TaskContext {
  private CurrentTask() {}

  /// Until it is closed, the thread that made it runs no task.
  public static final class Suspended implements AutoCloseable {
    private static final ThreadLocal<Suspended> OF_THREAD = new ThreadLocal<>();
    private final TaskContext task = TaskContext.current().orElse(null);
    private final Suspended around = OF_THREAD.get();

    private Suspended() {
      OF_THREAD.set(this);
      setCurrent(null);
    }

    @Override
    public void close() {
      OF_THREAD.set(around);
      if (task != null) {
        setCurrent(task);
      }
    }
  }

  /// For what one task reads and all tasks use: an accumulator in it is not that task's own.
  public static Suspended suspend() {
    return new Suspended();
  }

  /// Whether this thread reads what all tasks use.
  public static boolean isSuspended() {
    return Suspended.OF_THREAD.get() != null;
  }

  /// Lets what is done on another thread still find the task that it is done for.
  ///
  /// @param suspended whether that one has suspended its task
  static void set(TaskContext task, boolean suspended) {
    setCurrent(task);
    if (suspended) {
      Suspended _ = suspend(); // for as long as the thread lives
    }
  }
}
