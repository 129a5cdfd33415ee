package io.kiln.bench;

import java.util.Locale;

/// A row of the page of results, and how many times better than Spark it is meant to be.
enum BenchRow {
  COLD("cold submit of Pi with 10 slices, start to exit", "s", 1, 6, 12, 4, 8),
  SUBMISSIONS("20 such submissions, one after the other", "s", 1, 0, 0, 0, 0),
  VERSION("`--version`, start to exit", "s", 1, 0, 0, 0, 0),
  IDLE("resident memory of an idle driver", "MB", 1, 3, 5, 3, 5),
  TASKS("empty tasks in one stage", "s", 1, 40, 100, 25, 75),
  LATENCY("job of 2 empty tasks", "ms", 1000, 20, 100, 20, 100),
  STEADY("the same, after some 8,000 such jobs", "ms", 1000, 20, 100, 20, 100),
  WORDCOUNT("word count of 144 MB", "s", 1, 2, 4, 2, 4),
  SORT("sort of 4 million (long, long) pairs", "s", 1, 2, 4, 2, 4),
  SUMBYKEY("sum of 20 million pairs by key", "s", 1, 2, 4, 2, 4),
  BROADCAST("256 MB broadcast to 4 executors", "s", 1, 0, 0, 0, 0),
  SEGMENTS("shuffle of 1,000 × 1,000 segments", "s", 1, 0, 0, 0, 0);

  private final String title;
  private final String unit;
  private final double scale;
  private final double firstLocal;
  private final double furtherLocal;
  private final double firstCluster;
  private final double furtherCluster;

  BenchRow(
      String title,
      String unit,
      double scale,
      double firstLocal,
      double furtherLocal,
      double firstCluster,
      double furtherCluster) {
    this.title = title;
    this.unit = unit;
    this.scale = scale;
    this.firstLocal = firstLocal;
    this.furtherLocal = furtherLocal;
    this.firstCluster = firstCluster;
    this.furtherCluster = furtherCluster;
  }

  String title() {
    return title;
  }

  /// The word in the lines of `bench/run`.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String unit() {
    return unit;
  }

  /// What a collected figure is multiplied by to be in [#unit].
  double scale() {
    return scale;
  }

  /// Spark ÷ Kiln to reach first; 0 where there is no goal.
  double firstGoal(String master) {
    return isLocal(master) ? firstLocal : firstCluster;
  }

  /// Spark ÷ Kiln to reach in the end; 0 where there is no goal.
  double furtherGoal(String master) {
    return isLocal(master) ? furtherLocal : furtherCluster;
  }

  /// What it runs on where the rest runs on `master`.
  String master(String master) {
    return this == BROADCAST ? "local-cluster[4,1,2048]" : master;
  }

  /// Whether all engines answer the same.
  boolean comparesChecks() {
    return switch (this) {
      case COLD, SUBMISSIONS, VERSION, IDLE -> false;
      case TASKS, LATENCY, STEADY, WORDCOUNT, SORT, SUMBYKEY, BROADCAST, SEGMENTS -> true;
    };
  }

  private static boolean isLocal(String master) {
    return master.startsWith("local[");
  }
}
