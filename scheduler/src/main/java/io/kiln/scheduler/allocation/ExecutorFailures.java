package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Backoff;
import io.kiln.base.machine.RepeatedFailures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The executors that failed: that did not come up, or that ended through what ran in them. They
/// say how soon others are asked for, and when to give up.
///
/// The first failures in a row are made good at once, later ones after a time that doubles. What
/// counts towards the limit is forgotten once an executor has stayed for a while.
final class ExecutorFailures {
  private static final int AT_ONCE = 2;
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

  private final Optional<Duration> validity;
  private final Deque<Long> times = new ArrayDeque<>();
  private final RepeatedFailures repeated = new RepeatedFailures(AT_ONCE, BACKOFF);
  private int total;

  ExecutorFailures(Optional<Duration> validity) {
    this.validity = validity;
  }

  /// @param what names the executor and says what became of it
  void add(String what, long nowNanos) {
    times.addLast(nowNanos);
    total++;
    repeated.add(what, nowNanos);
  }

  /// An executor has come.
  ///
  /// @return how many in a row had failed
  int endRow() {
    return repeated.endRow();
  }

  /// The executor that had ended a row of failures was no better than they.
  void resumeRow(int failed) {
    repeated.resumeRow(failed);
  }

  /// An executor has stayed.
  void forget() {
    times.clear();
  }

  /// Whether so many in a row have failed that executors are asked for one by one.
  boolean isBackingOff() {
    return repeated.isBackingOff();
  }

  /// How long to wait with the next; zero if it may be asked for now.
  Duration waitLeft(long nowNanos) {
    return repeated.waitLeft(nowNanos);
  }

  /// How many count towards the limit.
  int counting(long nowNanos) {
    while (validity.isPresent()
        && !times.isEmpty()
        && nowNanos - times.getFirst() > validity.get().toNanos()) {
      times.removeFirst();
    }
    return times.size();
  }

  /// How many there have ever been.
  int total() {
    return total;
  }

  /// Names the executor that failed last and says what became of it; empty if none has.
  String last() {
    return repeated.last();
  }
}
