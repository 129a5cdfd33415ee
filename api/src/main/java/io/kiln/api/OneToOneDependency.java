package io.kiln.api;

import java.util.List;

/// Partition `i` of the child needs partition `i` of the parent.
public final class OneToOneDependency<T> extends NarrowDependency<T> {
  public OneToOneDependency(RDD<T> parent) {
    super(parent);
  }

  @Override
  public List<Integer> parentPartitions(int childPartition) {
    return List.of(childPartition);
  }
}
