package io.kiln.driver.cluster;

import java.util.concurrent.atomic.AtomicLong;

/// Names the applications of this process that no cluster names. Thread-safe.
public final class LocalApplicationIds {
  private static final AtomicLong LAST_MILLIS = new AtomicLong();

  private LocalApplicationIds() {}

  /// `local-` and the time in milliseconds, pushed on where two contexts start in one.
  public static String next() {
    long now = System.currentTimeMillis();
    return "local-" + LAST_MILLIS.updateAndGet(last -> Math.max(last + 1, now));
  }
}
