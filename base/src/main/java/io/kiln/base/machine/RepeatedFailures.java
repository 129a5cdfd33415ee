package io.kiln.base.machine;

import java.time.Duration;

/// Failures of one kind, one after the other, and how soon the next try may be: the first failures
/// are made good at once, later ones after a time that doubles, one try at a time. Mutable, one
/// machine's.
public final class RepeatedFailures {
  private final int madeGoodAtOnce;
  private final Backoff backoff;
  private int inRow;
  private long notBeforeNanos;
  private String last = "";

  /// @param madeGoodAtOnce how many in a row don't delay the next try
  /// @param backoff of those that come after them
  public RepeatedFailures(int madeGoodAtOnce, Backoff backoff) {
    this.madeGoodAtOnce = madeGoodAtOnce;
    this.backoff = backoff;
  }

  /// @param what names what has failed and says why
  public void add(String what, long nowNanos) {
    last = what;
    inRow++;
    delayNextTry(nowNanos);
  }

  /// There is a try now, so the one after it has to wait, if tries have to wait at all.
  public void delayNextTry(long nowNanos) {
    notBeforeNanos = nowNanos + delay().toNanos();
  }

  /// How long the next try waits, from the last failure or try on; zero if it does not wait.
  public Duration delay() {
    return isBackingOff() ? backoff.after(inRow - madeGoodAtOnce) : Duration.ZERO;
  }

  /// Whether so many have failed in a row that there is one try at a time.
  public boolean isBackingOff() {
    return inRow > madeGoodAtOnce;
  }

  /// How long the next try still has to wait; zero if it may be now.
  public Duration waitLeft(long nowNanos) {
    long left = isBackingOff() ? notBeforeNanos - nowNanos : 0;
    return Duration.ofNanos(Math.max(0, left));
  }

  /// A try has succeeded.
  ///
  /// @return how many in a row had failed
  public int endRow() {
    int failed = inRow;
    inRow = 0;
    return failed;
  }

  /// What had ended a row of failures was no success after all.
  ///
  /// @param failed how many were in that row
  public void resumeRow(int failed) {
    inRow = Math.max(inRow, failed);
  }

  public int inRow() {
    return inRow;
  }

  /// What failed last, and why; empty if nothing ever has.
  public String last() {
    return last;
  }
}
