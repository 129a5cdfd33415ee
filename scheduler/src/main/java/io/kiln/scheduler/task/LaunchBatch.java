package io.kiln.scheduler.task;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.util.Arrays;

/// A [TaskBatch] as it grows.
final class LaunchBatch {
  private final TaskSetState taskSet;
  private long[] taskIds = new long[2];
  private int[] partitions = new int[2];
  private int[] attempts = new int[2];
  private int size;

  LaunchBatch(TaskSetState taskSet) {
    this.taskSet = taskSet;
  }

  TaskSetState taskSet() {
    return taskSet;
  }

  void add(long taskId, int partition, int attempt) {
    if (size == taskIds.length) {
      resize(size * 4);
    }
    taskIds[size] = taskId;
    partitions[size] = partition;
    attempts[size] = attempt;
    size++;
  }

  /// Gives the arrays away.
  TaskBatch toMessage() {
    if (size < taskIds.length) {
      resize(size);
    }
    return new TaskBatch(
        taskSet.stageId(),
        taskSet.stageAttempt(),
        taskSet.binary(),
        taskSet.options().properties(),
        taskIds,
        partitions,
        attempts);
  }

  private void resize(int capacity) {
    taskIds = Arrays.copyOf(taskIds, capacity);
    partitions = Arrays.copyOf(partitions, capacity);
    attempts = Arrays.copyOf(attempts, capacity);
  }
}
