package io.kiln.cluster.master;

import java.time.Duration;

/// The executors that a worker could not start, one after the other. They say for how long it is to
/// be left out: after the second, for a time that doubles. One that it starts ends the row.
final class FailedStarts {
  private static final int BEARABLE = 1;
  private static final Duration FIRST_REST = Duration.ofSeconds(10);
  private static final Duration LONGEST_REST = Duration.ofMinutes(2);
  private static final int MOST_DOUBLINGS = 10;

  private int inRow;
  private String last = "";

  /// @param why as the worker says
  void add(String why) {
    inRow++;
    last = why;
  }

  void forget() {
    inRow = 0;
    last = "";
  }

  /// Zero if it is to be given more all the same.
  Duration rest() {
    if (inRow <= BEARABLE) {
      return Duration.ZERO;
    }
    Duration rest = FIRST_REST.multipliedBy(1L << Math.min(inRow - BEARABLE - 1, MOST_DOUBLINGS));
    return rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
  }

  /// What became of them, for people.
  @Override
  public String toString() {
    return "it could not start " + inRow + " executors in a row; the last: " + last;
  }
}
