package io.kiln.protocol;

import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.machine.Payload;

/// What became of a task.
public sealed interface TaskUpdate {
  long taskId();

  /// What it used.
  TaskMetrics metrics();

  /// @param result what the stage's client gets: the value and the accumulators' updates
  record Succeeded(long taskId, Payload result, TaskMetrics metrics) implements TaskUpdate {
    /// When nothing more is known of it than how long it ran.
    public Succeeded(long taskId, Payload result, long runNanos) {
      this(taskId, result, TaskMetrics.NONE.withTimes(TaskMetrics.Times.ofRun(runNanos)));
    }
  }

  record Failed(long taskId, TaskFailure failure, TaskMetrics metrics) implements TaskUpdate {
    /// When it is not known what it used.
    public Failed(long taskId, TaskFailure failure) {
      this(taskId, failure, TaskMetrics.NONE);
    }
  }

  /// The executor has given the task back, as it was asked to: it has not begun.
  record Returned(long taskId) implements TaskUpdate {
    @Override
    public TaskMetrics metrics() {
      return TaskMetrics.NONE;
    }
  }

  /// The task could not read a map output.
  record CouldNotFetch(
      long taskId,
      int shuffleId,
      int mapPartition,
      String executorId,
      String why,
      TaskMetrics metrics)
      implements TaskUpdate {
    /// When it is not known what it used.
    public CouldNotFetch(
        long taskId, int shuffleId, int mapPartition, String executorId, String why) {
      this(taskId, shuffleId, mapPartition, executorId, why, TaskMetrics.NONE);
    }
  }
}
