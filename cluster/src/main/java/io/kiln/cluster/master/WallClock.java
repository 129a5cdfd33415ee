package io.kiln.cluster.master;

import java.time.Instant;

/// What the clock on the wall says, as far as the machine can know: it was told so once in a while,
/// and its host's clock has run on since; not while the process stood still. Mutable, the master's
/// thread only.
final class WallClock {
  private Instant told;
  private long toldNanos;

  WallClock(Instant now, long nowNanos) {
    set(now, nowNanos);
  }

  void set(Instant now, long nowNanos) {
    told = now;
    toldNanos = nowNanos;
  }

  Instant at(long nowNanos) {
    return told.plusNanos(nowNanos - toldNanos);
  }
}
