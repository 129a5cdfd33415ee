package io.kiln.runtime;

import io.kiln.base.machine.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/// The timers of a host's machines. Used by the host's thread alone.
final class TimerQueue {
  private static final int FEW = 64;

  private record Key(MachineRoute owner, Object key) {

    // Written out: those that a record comes with take milliseconds of a cold start.
    @Override
    public boolean equals(Object other) {
      return other instanceof Key(MachineRoute otherOwner, Object otherKey)
          && owner.equals(otherOwner)
          && key.equals(otherKey);
    }

    @Override
    public int hashCode() {
      return 31 * owner.hashCode() + key.hashCode();
    }
  }

  /// A timer that has been started.
  record Timer(long atNanos, long sequence, MachineRoute owner, Object key, Message onFire)
      implements Comparable<Timer> {

    /// By time, then in the order in which they were started.
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private final Map<Key, Timer> current = new HashMap<>();
  private long sequence;

  void start(MachineRoute owner, Object key, long atNanos, Message onFire) {
    Timer timer = new Timer(atNanos, sequence++, owner, key, onFire);
    current.put(new Key(owner, key), timer);
    queue.add(timer);
    dropCancelled();
  }

  void cancel(MachineRoute owner, Object key) {
    current.remove(new Key(owner, key));
  }

  /// How long until the first timer; may be one that was cancelled since.
  long nanosToNext(long nowNanos) {
    return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().atNanos() - nowNanos;
  }

  /// @return a timer whose time has come, or null
  Timer takeDue(long nowNanos) {
    while (!queue.isEmpty() && queue.peek().atNanos() <= nowNanos) {
      Timer timer = queue.remove();
      if (isCurrent(timer)) {
        current.remove(new Key(timer.owner(), timer.key()));
        return timer;
      }
    }
    return null;
  }

  private boolean isCurrent(Timer timer) {
    Timer latest = current.get(new Key(timer.owner(), timer.key()));
    return latest != null && latest.sequence() == timer.sequence();
  }

  private void dropCancelled() {
    if (queue.size() > FEW && queue.size() > 2 * current.size()) {
      queue.removeIf(timer -> !isCurrent(timer));
    }
  }
}
