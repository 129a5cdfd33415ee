package io.kiln.api.accumulator;

/// Sums and counts numbers.
public final class DoubleAccumulator extends Accumulator<Double, Double> {
  private double sum;
  private long count;

  @Override
  public boolean isZero() {
    return sum == 0 && count == 0;
  }

  @Override
  public DoubleAccumulator copy() {
    DoubleAccumulator copy = new DoubleAccumulator();
    copy.sum = sum;
    copy.count = count;
    return copy;
  }

  @Override
  public void reset() {
    sum = 0;
    count = 0;
  }

  @Override
  public void add(Double value) {
    add(value.doubleValue());
  }

  /// Same, without boxing.
  public void add(double value) {
    DoubleAccumulator mine = (DoubleAccumulator) ofTask();
    mine.sum += value;
    mine.count++;
  }

  private DoubleAccumulator mine() {
    return (DoubleAccumulator) asRead();
  }

  @Override
  public void merge(Accumulator<Double, Double> other) {
    DoubleAccumulator that = (DoubleAccumulator) other;
    sum += that.sum;
    count += that.count;
  }

  /// Returns the sum.
  @Override
  public Double value() {
    return mine().sum;
  }

  /// Same as [#value], without boxing.
  public double sum() {
    return mine().sum;
  }

  /// Returns how often something was added.
  public long count() {
    return mine().count;
  }

  /// Returns the average; NaN if nothing was added.
  public double average() {
    DoubleAccumulator mine = mine();
    return mine.sum / mine.count;
  }
}
