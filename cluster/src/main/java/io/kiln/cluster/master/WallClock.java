package io.kiln.cluster.master;

import java.time.Instant;

/// Tells the time of day from what it was once.
///
/// @param thenNanos the host's clock at that time
record WallClock(Instant then, long thenNanos) {
  Instant at(long nanos) {
    return then.plusNanos(nanos - thenNanos);
  }
}
