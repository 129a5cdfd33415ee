package io.kiln.runtime;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Messages from any thread to the one thread of a host. A lock-free stack that the consumer takes
/// whole and turns around, so that a burst costs it one atomic operation.
///
/// It has no bound of its own: what stands in it is bounded by who sends. A caller waits for its
/// job, and an executor reports the tasks that it was given, whose number the task machine limits.
final class Mailbox {

  /// A message in the mailbox.
  static final class Entry {
    private final Address to;
    private final Message message;
    private Entry next;

    private Entry(Address to, Message message) {
      this.to = to;
      this.message = message;
    }

    Address to() {
      return to;
    }

    Message message() {
      return message;
    }

    /// The entry that came after this one, or null.
    Entry next() {
      return next;
    }
  }

  /// The longest that the consumer spins before it parks. A parked thread takes some 50 µs to wake.
  private static final int MAX_SPINS = 2_000;

  private static final int MIN_SPINS = 20;

  /// Stands on top while the consumer is parked, or about to.
  private static final Entry PARKED = new Entry(null, null);

  /// Stands on top for ever once the mailbox is closed.
  private static final Entry CLOSED = new Entry(null, null);

  private final AtomicReference<Entry> top = new AtomicReference<>();
  private final boolean maySpin = Runtime.getRuntime().availableProcessors() > 1;
  private int spins = MIN_SPINS;
  private volatile Thread consumer;

  /// The thread that takes; called on that thread, once, before the first [#await].
  void setConsumer(Thread thread) {
    consumer = thread;
  }

  /// @return false if the mailbox is closed
  boolean put(Address to, Message message) {
    Entry entry = new Entry(to, message);
    Entry before;
    do {
      before = top.getAcquire();
      if (before == CLOSED) {
        return false;
      }
      entry.next = before == PARKED ? null : before;
    } while (!top.compareAndSet(before, entry));
    if (before == PARKED) {
      LockSupport.unpark(consumer);
    }
    return true;
  }

  /// @return the first of all entries, or null if there are none
  Entry takeAll() {
    if (top.getAcquire() == null) {
      return null;
    }
    Entry newest = top.getAndSet(null);
    Entry first = null;
    while (newest != null) {
      Entry older = newest.next;
      newest.next = first;
      first = newest;
      newest = older;
    }
    return first;
  }

  /// Returns when there may be entries, after `nanos`, or earlier for no reason.
  void await(long nanos) {
    if (spinUntilFilled() || !top.compareAndSet(null, PARKED)) {
      return;
    }
    LockSupport.parkNanos(this, nanos);
    top.compareAndSet(PARKED, null);
  }

  void wake() {
    LockSupport.unpark(consumer);
  }

  /// @return false if there are entries
  boolean closeIfEmpty() {
    return top.compareAndSet(null, CLOSED);
  }

  /// Drops what is there.
  void close() {
    top.set(CLOSED);
  }

  /// Spins longer while that pays, and next to nothing once it doesn't: on a machine whose cores
  /// are all taken, the spinning thread keeps those from running that it waits for.
  private boolean spinUntilFilled() {
    if (!maySpin) {
      return false;
    }
    for (int i = 0; i < spins; i++) {
      if (top.getAcquire() != null) {
        spins = Math.min(spins * 2, MAX_SPINS);
        return true;
      }
      Thread.onSpinWait();
    }
    spins = Math.max(spins / 2, MIN_SPINS);
    return false;
  }
}
