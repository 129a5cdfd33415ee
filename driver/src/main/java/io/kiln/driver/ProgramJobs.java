package io.kiln.driver;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// The jobs of the program that this process runs, in whichever context: whoever ends the process
/// has to know whether any work would be lost.
///
/// A job that was cancelled, or that nobody needs to the end, is none of them. Thread-safe.
public final class ProgramJobs {
  private static final Map<RunningJob, String> RUNNING = new LinkedHashMap<>();
  private static boolean cut;

  private ProgramJobs() {}

  /// Whether jobs run that somebody wants.
  public static synchronized boolean areRunning() {
    return !RUNNING.isEmpty();
  }

  /// Waits until no job runs that somebody wants.
  ///
  /// @return false if one still runs after the timeout
  public static synchronized boolean await(Duration timeout) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!RUNNING.isEmpty()) {
      Duration left = timeout.minusNanos(System.nanoTime() - startNanos);
      if (!left.isPositive()) {
        return false;
      }
      ProgramJobs.class.wait(left.toMillis() + 1);
    }
    return true;
  }

  /// The first of the running jobs, for people; empty if none runs.
  public static synchronized String first() {
    return RUNNING.isEmpty() ? "" : RUNNING.values().iterator().next();
  }

  /// Whether a context was closed while jobs ran that somebody wanted: the program has not done
  /// all that it began.
  public static synchronized boolean wereCut() {
    return cut;
  }

  static synchronized void started(RunningJob job, String described) {
    RUNNING.put(job, described);
  }

  /// The job has ended, or its end does not matter any more.
  ///
  /// @return whether it mattered until now
  static synchronized boolean ended(RunningJob job) {
    boolean mattered = RUNNING.remove(job) != null;
    if (RUNNING.isEmpty()) {
      ProgramJobs.class.notifyAll();
    }
    return mattered;
  }

  static synchronized void cut() {
    cut = true;
  }
}
