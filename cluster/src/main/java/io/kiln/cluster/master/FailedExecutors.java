package io.kiln.cluster.master;

import java.time.Duration;

/// The executors of one application that failed, one after the other. They say how soon there may
/// be another: the first failures are made good at once, later ones after a time that doubles, one
/// executor at a time. One that stays for a minute ends the row.
final class FailedExecutors {
  static final Duration SETTLED = Duration.ofSeconds(60);

  private static final int AT_ONCE = 2;
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private int inRow;
  private long notBeforeNanos;
  private String last = "";

  /// @param what names the executor and says what became of it
  void add(String what, long nowNanos) {
    last = what;
    inRow++;
    started(nowNanos);
  }

  /// The next one has to wait, if there is anything to wait for.
  void started(long nowNanos) {
    if (inRow > AT_ONCE) {
      int doublings = Math.min(inRow - AT_ONCE - 1, Integer.SIZE);
      notBeforeNanos =
          nowNanos + Math.min(FIRST_WAIT.toNanos() << doublings, LONGEST_WAIT.toNanos());
    }
  }

  /// An executor has stayed.
  void forget() {
    inRow = 0;
  }

  int inRow() {
    return inRow;
  }

  /// How many executors may be started now.
  int mayStart(long nowNanos) {
    if (inRow <= AT_ONCE) {
      return Integer.MAX_VALUE;
    }
    return nowNanos - notBeforeNanos >= 0 ? 1 : 0;
  }

  /// How long to wait for the next; not positive if there is nothing to wait for.
  Duration waitLeft(long nowNanos) {
    return inRow <= AT_ONCE ? Duration.ZERO : Duration.ofNanos(notBeforeNanos - nowNanos);
  }

  /// Names the executor that failed last; empty if none has.
  String last() {
    return last;
  }
}
