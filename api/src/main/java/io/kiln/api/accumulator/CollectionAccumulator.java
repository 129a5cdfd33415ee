package io.kiln.api.accumulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Collects values, in no particular order across tasks.
public final class CollectionAccumulator<T> extends Accumulator<T, List<T>> {
  private final List<T> values = Collections.synchronizedList(new ArrayList<>());

  @Override
  public boolean isZero() {
    return values.isEmpty();
  }

  @Override
  public CollectionAccumulator<T> copy() {
    CollectionAccumulator<T> copy = new CollectionAccumulator<>();
    copy.values.addAll(values);
    return copy;
  }

  @Override
  public void reset() {
    values.clear();
  }

  @Override
  public void add(T value) {
    ((CollectionAccumulator<T>) ofTask()).values.add(value);
  }

  private CollectionAccumulator<T> mine() {
    return (CollectionAccumulator<T>) asRead();
  }

  @Override
  public void merge(Accumulator<T, List<T>> other) {
    values.addAll(((CollectionAccumulator<T>) other).values);
  }

  /// Returns an unmodifiable copy of the values so far.
  @Override
  public List<T> value() {
    return Collections.unmodifiableList(new ArrayList<>(mine().values));
  }
}
