package io.kiln.bench.work;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A row of the table of measurements, with the size it has unless the command line says
/// another.
public enum Workload {
  /// One job of `size` tasks that do nothing.
  TASKS(10_000),
  /// `size` jobs of two empty tasks, one after the other; the figure is the median job.
  LATENCY(200),
  /// The same in a JVM that has run [#STEADY_WARM_UPS] times as many.
  STEADY(200),
  /// Distinct words of a text file; `size` has no meaning.
  WORDCOUNT(0),
  /// Sort of `size` (long, long) pairs by key.
  SORT(4_000_000),
  /// Sum by key of `size` pairs over [#DISTINCT_KEYS] int keys.
  SUMBYKEY(20_000_000),
  /// `size` bytes that don't compress, broadcast and read by [#BROADCAST_TASKS] tasks.
  BROADCAST(256 << 20),
  /// `size` pairs, from [#SEGMENTS_EACH_WAY] tasks to as many.
  SEGMENTS(4_000_000),
  /// A driver that waits; the figure is its resident memory in MB.
  IDLE(0);

  /// How many keys there are in [#SUMBYKEY].
  public static final int DISTINCT_KEYS = 100_000;

  /// How many times [#STEADY] runs its jobs before it measures.
  public static final int STEADY_WARM_UPS = 40;

  /// How many tasks read what [#BROADCAST] sends: enough that each executor has some.
  public static final int BROADCAST_TASKS = 16;

  /// How many tasks write and how many read in [#SEGMENTS].
  public static final int SEGMENTS_EACH_WAY = 1_000;

  private final int defaultSize;

  Workload(int defaultSize) {
    this.defaultSize = defaultSize;
  }

  public int defaultSize() {
    return defaultSize;
  }

  /// The word of the command line and of the report.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Workload> named(String label) {
    return Arrays.stream(values()).filter(workload -> workload.label().equals(label)).findFirst();
  }
}
