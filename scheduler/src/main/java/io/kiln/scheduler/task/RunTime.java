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

  /// The estimate has proved wrong: it begins anew with the next task that ends.
  void forget() {
    seen = 0;
  }

  /// How many tasks make up so much work; none while nothing is known, since moving a queued task
  /// to a slot that falls free elsewhere costs a round trip.
  int tasksWithin(long nanos, int atMost) {
    return seen == 0 ? 0 : (int) Math.min(atMost, nanos / meanNanos);
  }
}
