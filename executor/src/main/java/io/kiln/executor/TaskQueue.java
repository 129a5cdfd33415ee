package io.kiln.executor;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The tasks that wait for a slot, in the order in which they came. Thread-safe.
///
/// A slot claims one task at a time, so that a long task holds up nobody; a claim from the batch at
/// the head takes no lock.
///
/// Its bound is the scheduler's: it sends no more than the slots and a small reserve.
final class TaskQueue {
  private static final QueuedBatch EXHAUSTED =
      new QueuedBatch(new TaskBatch(-1, -1, null, Map.of(), new long[0], new int[0], new int[0]));

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final ArrayDeque<QueuedBatch> waiting = new ArrayDeque<>();
  private volatile QueuedBatch head = EXHAUSTED;
  private final AtomicInteger behindHead = new AtomicInteger();
  private boolean closed;

  void add(Collection<QueuedBatch> batches) {
    lock.lock();
    try {
      int tasks = 0;
      for (QueuedBatch batch : batches) {
        waiting.add(batch);
        tasks += batch.unclaimed();
      }
      behindHead.addAndGet(tasks);
      for (int i = 0; i < tasks && lock.hasWaiters(notEmpty); i++) {
        notEmpty.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Claims a task for the slot, waiting for one if need be.
  ///
  /// @return the position in the slot's batch; -1 when the queue is closed
  int claim(Slot slot) {
    while (true) {
      QueuedBatch candidate = head;
      slot.considers(candidate); // before the claim, so that a kill always finds it
      int index = candidate.claim();
      if (index >= 0) {
        return index;
      }
      slot.considers(EXHAUSTED);
      slot.leavesBatch();
      if (!advance(candidate)) {
        return -1;
      }
    }
  }

  /// Moves the head on if nobody has, waiting if there is nothing.
  ///
  /// @return false when closed
  private boolean advance(QueuedBatch exhausted) {
    lock.lock();
    try {
      while (head == exhausted && !closed) {
        QueuedBatch following = waiting.poll();
        if (following != null) {
          behindHead.addAndGet(-following.unclaimed());
          head = following;
        } else {
          head = EXHAUSTED;
          if (exhausted != EXHAUSTED) {
            return true;
          }
          notEmpty.awaitUninterruptibly();
        }
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /// How many tasks wait; may be off by those being claimed.
  int size() {
    return head.unclaimed() + behindHead.get();
  }

  /// Takes tasks that no slot has claimed, those that came last first.
  ///
  /// @return their ids
  List<Long> takeBack(int atMost) {
    List<Long> taken = new ArrayList<>();
    lock.lock();
    try {
      Iterator<QueuedBatch> lastFirst = waiting.descendingIterator();
      while (taken.size() < atMost && lastFirst.hasNext()) {
        for (long taskId : lastFirst.next().takeBack(atMost - taken.size())) {
          taken.add(taskId);
        }
      }
      behindHead.addAndGet(-taken.size());
      for (long taskId : head.takeBack(atMost - taken.size())) {
        taken.add(taskId);
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /// Marks a waiting task as killed, if it waits here.
  void kill(long taskId, String reason) {
    lock.lock();
    try {
      head.kill(taskId, reason);
      for (QueuedBatch batch : waiting) {
        batch.kill(taskId, reason);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Wakes the slots for good; waiting tasks are dropped.
  void close() {
    lock.lock();
    try {
      closed = true;
      head = EXHAUSTED;
      waiting.clear();
      behindHead.set(0);
      notEmpty.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
