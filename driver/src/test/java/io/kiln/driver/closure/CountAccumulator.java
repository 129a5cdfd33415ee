package io.kiln.driver.closure;

import io.kiln.api.accumulator.Accumulator;

/// Counts what is added.
final class CountAccumulator extends Accumulator<Object, Long> {
  private long count;

  @Override
  public boolean isZero() {
    return count == 0;
  }

  @Override
  public CountAccumulator copy() {
    CountAccumulator copy = new CountAccumulator();
    copy.count = count;
    return copy;
  }

  @Override
  public void reset() {
    count = 0;
  }

  @Override
  public void add(Object value) {
    count++;
  }

  @Override
  public void merge(Accumulator<Object, Long> other) {
    count += other.value();
  }

  @Override
  public Long value() {
    return count;
  }
}
