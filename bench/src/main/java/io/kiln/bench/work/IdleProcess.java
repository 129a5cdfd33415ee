package io.kiln.bench.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// What this process holds while it does nothing; Linux only, since it reads `/proc`.
public final class IdleProcess {
  private static final Duration SETTLING = Duration.ofSeconds(5);
  private static final double KB_PER_MB = 1024;

  private IdleProcess() {}

  /// Waits until start-up work has settled and reports resident megabytes and threads.
  public static void report(Stopwatch stopwatch) throws IOException, InterruptedException {
    Thread.sleep(SETTLING);
    long residentKb = 0;
    long threads = 0;
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        residentKb = number(line);
      } else if (line.startsWith("Threads:")) {
        threads = number(line);
      }
    }
    stopwatch.figure(residentKb / KB_PER_MB, "threads=" + threads);
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
