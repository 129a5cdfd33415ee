package io.kiln.driver;

import java.util.concurrent.atomic.AtomicLong;

/// Names applications of this process.
final class ApplicationIds {
  private static final AtomicLong LAST_MILLIS = new AtomicLong();

  private ApplicationIds() {}

  /// `local-` and the time in milliseconds, pushed on where two contexts start in one.
  static String next() {
    long now = System.currentTimeMillis();
    return "local-" + LAST_MILLIS.updateAndGet(last -> Math.max(last + 1, now));
  }
}
