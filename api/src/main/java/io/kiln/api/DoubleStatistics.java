package io.kiln.api;

import java.io.Serializable;

/// Count, mean, variance and extremes of numbers. It gathers them in one pass without loss of
/// precision (Welford's method), and joins parts by Chan's method.
///
/// Not thread-safe.
public final class DoubleStatistics implements Serializable {
  private long count;
  private double mean;
  private double squaredDeviations;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /// Starts with no numbers.
  public DoubleStatistics() {}

  /// Starts with some numbers.
  public static DoubleStatistics of(double... values) {
    DoubleStatistics statistics = new DoubleStatistics();
    for (double value : values) {
      statistics.add(value);
    }
    return statistics;
  }

  /// Adds a number.
  ///
  /// @return this
  public DoubleStatistics add(double value) {
    count++;
    double deviation = value - mean;
    mean =
        Double.isFinite(deviation)
            ? mean + deviation / count
            : weighted(mean, count - 1, value, 1); // infinite, NaN, or too far apart to subtract
    squaredDeviations += deviation * (value - mean);
    min = Math.min(min, value);
    max = Math.max(max, value);
    return this;
  }

  private static double weighted(double left, long leftCount, double right, long rightCount) {
    double total = leftCount + rightCount;
    return leftCount == 0 ? right : left * (leftCount / total) + right * (rightCount / total);
  }

  /// Adds the numbers of `other`.
  ///
  /// @return this
  public DoubleStatistics merge(DoubleStatistics other) {
    if (other.count == 0) {
      return this;
    }
    long total = count + other.count;
    double deviation = other.mean - mean;
    squaredDeviations +=
        other.squaredDeviations + deviation * deviation * ((double) count * other.count / total);
    if (count == 0) {
      mean = other.mean;
    } else if (Double.isFinite(deviation)) {
      mean += deviation * ((double) other.count / total);
    } else {
      mean = weighted(mean, count, other.mean, other.count);
    }
    count = total;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    return this;
  }

  /// Returns how many numbers there were.
  public long count() {
    return count;
  }

  /// Returns the mean; 0 if there were no numbers.
  public double mean() {
    return mean;
  }

  /// Returns the sum; 0 if there were no numbers.
  public double sum() {
    return mean * count;
  }

  /// Returns the smallest number; positive infinity if there were no numbers.
  public double min() {
    return min;
  }

  /// Returns the largest number; negative infinity if there were no numbers.
  public double max() {
    return max;
  }

  /// Returns the mean square deviation from the mean; NaN if there were no numbers.
  public double variance() {
    return count == 0 ? Double.NaN : squaredDeviations / count;
  }

  /// Returns the variance of the population of which the numbers are a sample; NaN if there were
  /// fewer than two.
  public double sampleVariance() {
    return count < 2 ? Double.NaN : squaredDeviations / (count - 1);
  }

  /// Returns the square root of [#variance].
  public double stdev() {
    return Math.sqrt(variance());
  }

  /// Returns the square root of [#sampleVariance].
  public double sampleStdev() {
    return Math.sqrt(sampleVariance());
  }

  @Override
  public String toString() {
    return "(count: %d, mean: %f, stdev: %f, max: %f, min: %f)"
        .formatted(count, mean, stdev(), max, min);
  }
}
