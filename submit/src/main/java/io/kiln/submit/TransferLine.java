package io.kiln.submit;

import io.kiln.driver.status.StandardError;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// How much has come so far, in one line on standard error that goes away at the end; nothing
/// where that isn't a terminal. Thread-safe.
final class TransferLine implements LongConsumer, AutoCloseable {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String what;
  private final PrintStream out = System.err;
  private final boolean shown = StandardError.isTerminal();
  private long lastNanos = System.nanoTime();
  private int width;

  TransferLine(String what) {
    this.what = what;
  }

  @Override
  public synchronized void accept(long bytes) {
    long now = System.nanoTime();
    if (shown && now - lastNanos >= INTERVAL_NANOS) {
      lastNanos = now;
      String line = String.format(Locale.ROOT, "%s: %.1f MB", what, bytes / 1e6);
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      out.flush();
      width = line.length();
    }
  }

  @Override
  public synchronized void close() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
    }
  }
}
