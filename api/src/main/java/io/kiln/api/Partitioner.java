package io.kiln.api;

import java.io.Serializable;

/// Says to which partition a key belongs. Two RDDs with equal partitioners can be joined without
/// moving data, so a user's partitioner must define `equals` and `hashCode`.
public abstract class Partitioner implements Serializable {

  /// At least 1, or 0 where there is nothing to place; the same at each call.
  public abstract int numPartitions();

  /// @return from 0 to `numPartitions() - 1`, the same for equal keys
  public abstract int partition(Object key);

  @Override
  public abstract boolean equals(Object other);

  @Override
  public abstract int hashCode();
}
