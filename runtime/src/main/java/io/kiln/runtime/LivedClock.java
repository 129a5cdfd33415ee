package io.kiln.runtime;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Time for which this process could listen. What passes while the process or its thread stands
/// still (stopped, paused, without a processor, in a call that hangs) does not count: whatever
/// others said meanwhile has not been read yet, so no time-out may be judged by it.
///
/// It sees that by how far its readings lie apart, so its owner reads it more often than every
/// [#LONGEST_STEP]. Used by one thread.
public final class LivedClock {

  /// As much as may pass from one reading to the next.
  public static final Duration LONGEST_STEP = Duration.ofSeconds(1);

  private final LongSupplier machineNanos;
  private long lastNanos;
  private long livedNanos;

  public LivedClock() {
    this(System::nanoTime);
  }

  /// @param machineNanos as of [System#nanoTime]
  LivedClock(LongSupplier machineNanos) {
    this.machineNanos = machineNanos;
    this.lastNanos = machineNanos.getAsLong();
  }

  /// Only differences mean anything.
  public long nowNanos() {
    long now = machineNanos.getAsLong();
    livedNanos += Math.min(now - lastNanos, LONGEST_STEP.toNanos());
    lastNanos = now;
    return livedNanos;
  }
}
