package io.kiln.api;

import java.util.List;

/// Each partition of the child needs a few partitions of the parent and computes them in its own
/// task.
public abstract non-sealed class NarrowDependency<T> extends Dependency<T> {
  private final RDD<T> parent;

  protected NarrowDependency(RDD<T> parent) {
    this.parent = parent.node();
  }

  @Override
  public final RDD<T> parent() {
    return parent;
  }

  /// The parent's partitions that this partition of the child needs, in the order in which it reads
  /// them.
  public abstract List<Integer> parentPartitions(int childPartition);
}
