package io.kiln.executor;

import io.kiln.scheduler.task.ExecutorMessage.TaskBatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A batch of tasks of which some are still to be claimed. Thread-safe.
final class QueuedBatch {
  private final TaskBatch batch;
  private final AtomicInteger next = new AtomicInteger();
  private volatile Map<Long, String> kills = Map.of();

  QueuedBatch(TaskBatch batch) {
    this.batch = batch;
  }

  TaskBatch batch() {
    return batch;
  }

  /// The position of a task that nobody else gets; -1 when all are claimed.
  int claim() {
    if (next.get() >= batch.taskIds().length) {
      return -1; // keeps the counter from running on
    }
    int index = next.getAndIncrement();
    return index < batch.taskIds().length ? index : -1;
  }

  int unclaimed() {
    return Math.max(0, batch.taskIds().length - next.get());
  }

  /// Marks the task, if it is of this batch, so that the slot that claims it doesn't run it.
  void kill(long taskId, String reason) {
    for (long id : batch.taskIds()) {
      if (id == taskId) {
        synchronized (this) {
          if (kills.isEmpty()) {
            kills = new ConcurrentHashMap<>();
          }
          kills.put(taskId, reason);
        }
        return;
      }
    }
  }

  /// Why the task must not run; `null` if it may. Read after the claim is visible to killers.
  String killReason(long taskId) {
    Map<Long, String> current = kills;
    return current.isEmpty() ? null : current.get(taskId);
  }
}
