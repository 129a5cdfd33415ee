package io.kiln.bench.work;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/// Runs a workload's repetitions and prints one line each: `workload TAB engine TAB seconds
/// TAB check`. The check is what the job answered; equal workloads must print equal checks.
public final class Stopwatch {
  /// A job that the stop-watch runs; what it answers is checked, never measured.
  @FunctionalInterface
  public interface Job {
    Object run() throws Exception;
  }

  private final String engine;
  private final BenchArguments arguments;
  private final PrintStream out;

  public Stopwatch(String engine, BenchArguments arguments, PrintStream out) {
    this.engine = engine;
    this.arguments = arguments;
    this.out = out;
  }

  /// Measures each repetition as a whole.
  public void measure(Job job) throws Exception {
    for (int i = 0; i < arguments.warmups(); i++) {
      job.run();
    }
    for (int i = 0; i < arguments.repetitions(); i++) {
      long start = System.nanoTime();
      Object answer = job.run();
      report(System.nanoTime() - start, answer);
    }
  }

  /// Runs `size` jobs one after the other in each repetition; the figure is their median.
  public void measureEach(Job job) throws Exception {
    int jobs = Math.max(1, arguments.size());
    int warmups =
        arguments.workload() == Workload.STEADY ? Workload.STEADY_WARM_UPS : arguments.warmups();
    for (int i = 0; i < warmups; i++) {
      medianNanos(job, jobs);
    }
    for (int i = 0; i < arguments.repetitions(); i++) {
      report(medianNanos(job, jobs), jobs);
    }
  }

  /// Reports what a look at the whole result found, for comparison between engines.
  public void verified(String finding) {
    out.println(arguments.workload().label() + "\t" + engine + "\tverified\t" + finding);
  }

  /// Reports a figure that is no time.
  public void figure(double amount, String note) {
    line(amount, note);
  }

  private static long medianNanos(Job job, int jobs) throws Exception {
    long[] nanos = new long[jobs];
    for (int i = 0; i < jobs; i++) {
      long start = System.nanoTime();
      job.run();
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[jobs / 2];
  }

  private void report(long nanos, Object answer) {
    line(nanos / 1e9, answer);
  }

  private void line(double amount, Object note) {
    out.println(
        String.format(
            Locale.ROOT, "%s\t%s\t%.6f\t%s", arguments.workload().label(), engine, amount, note));
  }
}
