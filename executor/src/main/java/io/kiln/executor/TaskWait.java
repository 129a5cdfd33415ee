package io.kiln.executor;

import io.kiln.api.TaskContext;
import io.kiln.storage.memory.TaskMemory.Waiting;
import java.io.IOException;

/// Waiting on behalf of the task that the current thread runs, if it runs one.
public final class TaskWait {
  private TaskWait() {}

  /// Runs what waits for other processes; a kill of the task ends it, whether that interrupts tasks
  /// or not.
  ///
  /// @throws io.kiln.api.KilnException `TASK_KILLED`
  public static <T> T during(Waiting<T> waiting) throws IOException, InterruptedException {
    return TaskContext.current().orElse(null) instanceof RunningTask task
        ? task.storage().during(waiting)
        : waiting.run();
  }
}
