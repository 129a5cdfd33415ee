package io.kiln.api;

import java.io.Serializable;

/// An estimate with an interval around it.
///
/// @param mean the estimate
/// @param confidence how probable it is that the interval holds the true value, from 0 to 1
/// @param low the interval's start, included
/// @param high the interval's end, included
public record BoundedDouble(double mean, double confidence, double low, double high)
    implements Serializable {

  @Override
  public String toString() {
    return "[%.3f, %.3f]".formatted(low, high);
  }
}
