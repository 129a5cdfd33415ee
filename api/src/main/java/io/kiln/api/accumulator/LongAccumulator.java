package io.kiln.api.accumulator;

/// Sums and counts whole numbers. A sum beyond 64 bits wraps around.
public final class LongAccumulator extends Accumulator<Long, Long> {
  private long sum;
  private long count;

  @Override
  public boolean isZero() {
    return sum == 0 && count == 0;
  }

  @Override
  public LongAccumulator copy() {
    LongAccumulator copy = new LongAccumulator();
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
  public void add(Long value) {
    add(value.longValue());
  }

  /// Same, without boxing.
  public void add(long value) {
    LongAccumulator mine = (LongAccumulator) ofTask();
    mine.sum += value;
    mine.count++;
  }

  private LongAccumulator mine() {
    return (LongAccumulator) asRead();
  }

  @Override
  public void merge(Accumulator<Long, Long> other) {
    LongAccumulator that = (LongAccumulator) other;
    sum += that.sum;
    count += that.count;
  }

  /// Returns the sum.
  @Override
  public Long value() {
    return mine().sum;
  }

  /// Same as [#value], without boxing.
  public long sum() {
    return mine().sum;
  }

  /// Returns how often something was added.
  public long count() {
    return mine().count;
  }

  /// Returns the average; NaN if nothing was added.
  public double average() {
    LongAccumulator mine = mine();
    return (double) mine.sum / mine.count;
  }
}
