package io.kiln.executor;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// A batch of tasks of which some are still to be claimed. Thread-safe.
final class QueuedBatch {
  private final TaskBatch batch;

  /// The tasks still to be claimed: from the upper 32 bits on, up to the lower 32 bits.
  private final AtomicLong unclaimed;

  private volatile Map<Long, String> kills = Map.of();

  QueuedBatch(TaskBatch batch) {
    this.batch = batch;
    this.unclaimed = new AtomicLong(batch.taskIds().length);
  }

  TaskBatch batch() {
    return batch;
  }

  /// The position of a task that nobody else gets; -1 when all are claimed.
  int claim() {
    long range = unclaimed.get();
    while (begin(range) < end(range)) {
      if (unclaimed.compareAndSet(range, range + (1L << Integer.SIZE))) {
        return begin(range);
      }
      range = unclaimed.get();
    }
    return -1;
  }

  /// Takes unclaimed tasks from the end, so that no slot gets them.
  ///
  /// @return their ids, in their order
  long[] takeBack(int atMost) {
    long range = unclaimed.get();
    while (true) {
      int taken = Math.min(atMost, end(range) - begin(range));
      if (taken <= 0) {
        return new long[0];
      }
      if (unclaimed.compareAndSet(range, range - taken)) {
        return Arrays.copyOfRange(batch.taskIds(), end(range) - taken, end(range));
      }
      range = unclaimed.get();
    }
  }

  int unclaimed() {
    long range = unclaimed.get();
    return end(range) - begin(range);
  }

  private static int begin(long range) {
    return (int) (range >>> Integer.SIZE);
  }

  private static int end(long range) {
    return (int) range;
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
