package io.kiln.api.spi;

import io.kiln.api.TaskContext;

/// Changes which task a thread is taken to run.
public abstract class CurrentTask extends TaskContext {
  private CurrentTask() {}

  /// Until it is closed, the thread that made it runs no task.
  public static final class Suspended implements AutoCloseable {
    private final TaskContext task = TaskContext.current().orElse(null);

    private Suspended() {
      setCurrent(null);
    }

    @Override
    public void close() {
      if (task != null) {
        setCurrent(task);
      }
    }
  }

  /// For what one task reads and all tasks use: an accumulator in it is not that task's own.
  public static Suspended suspend() {
    return new Suspended();
  }

  /// Lets what is done on another thread still find the task that it is done for.
  static void set(TaskContext task) {
    setCurrent(task);
  }
}
