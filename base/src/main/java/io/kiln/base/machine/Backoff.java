package io.kiln.base.machine;

import java.time.Duration;

/// How long to wait before something that has failed is tried again: a time that doubles with each
/// failure in a row.
///
/// @param first after the first failure
/// @param longest however many have failed
public record Backoff(Duration first, Duration longest) {
  private static final int MOST_DOUBLINGS = 30;

  /// @param failures how many there have been in a row, 1 or more
  public Duration after(int failures) {
    Duration wait = first.multipliedBy(1L << Math.clamp(failures - 1L, 0, MOST_DOUBLINGS));
    return wait.compareTo(longest) < 0 ? wait : longest;
  }
}
