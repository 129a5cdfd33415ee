package io.kiln.api;

import java.io.Serializable;

/// What an RDD needs of a parent: either a few of its partitions, computed in the same task
/// ([NarrowDependency]), or a redistribution of all its records ([ShuffleDependency]), which ends a
/// stage.
public abstract sealed class Dependency<T> implements Serializable
    permits NarrowDependency, ShuffleDependency {

  /// The parent. Only in the driver for a shuffle; both sides for a narrow dependency.
  public abstract RDD<T> parent();
}
