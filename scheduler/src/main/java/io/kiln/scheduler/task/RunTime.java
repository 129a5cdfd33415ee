package io.kiln.scheduler.task;

/// A moving mean of how long the tasks of a task set run.
final class RunTime {
  private static final int WINDOW = 16;

  private double meanNanos;
  private int seen;

  void observe(long runNanos) {
    seen = Math.min(seen + 1, WINDOW);
    meanNanos += (Math.max(runNanos, 1) - meanNanos) / seen;
  }

  /// How many tasks make up so much work; none while nothing is known, since a queued task can't be
  /// moved to a slot that falls free elsewhere.
  int tasksWithin(long nanos, int atMost) {
    return seen == 0 ? 0 : (int) Math.min(atMost, nanos / meanNanos);
  }
}
