package io.kiln.api;

import java.io.Serializable;

/// Says to which partition a key belongs. Two RDDs with equal partitioners can be joined without
/// moving data. So a partitioner of yours must define `equals` and `hashCode`.
public abstract class Partitioner implements Serializable {

  /// Returns how many partitions there are: at least 1, or 0 if there is nothing to place. It is
  /// the same at each call.
  public abstract int numPartitions();

  /// @return a number from 0 to `numPartitions() - 1`, which is the same for equal keys
  public abstract int partition(Object key);

  @Override
  public abstract boolean equals(Object other);

  @Override
  public abstract int hashCode();
}
