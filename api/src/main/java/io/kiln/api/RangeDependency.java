package io.kiln.api;

import java.util.List;

/// `length` partitions of the child, from `childStart`, need as many of the parent from
/// `parentStart`, one each.
public final class RangeDependency<T> extends NarrowDependency<T> {
  private final int parentStart;
  private final int childStart;
  private final int length;

  public RangeDependency(RDD<T> parent, int parentStart, int childStart, int length) {
    super(parent);
    this.parentStart = parentStart;
    this.childStart = childStart;
    this.length = length;
  }

  int childStart() {
    return childStart;
  }

  @Override
  public List<Integer> parentPartitions(int childPartition) {
    boolean inside = childPartition >= childStart && childPartition < childStart + length;
    return inside ? List.of(childPartition - childStart + parentStart) : List.of();
  }
}
