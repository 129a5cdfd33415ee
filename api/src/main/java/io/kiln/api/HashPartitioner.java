package io.kiln.api;

/// Places a key by its `hashCode`: the non-negative remainder of the hash code by the number of
/// partitions; `null` goes to partition 0.
///
/// Arrays hash by identity, so they can't be keys here: the operation that would need it refuses
/// them.
public final class HashPartitioner extends Partitioner {
  private final int numPartitions;

  /// @throws IllegalArgumentException if `numPartitions` is less than 1
  public HashPartitioner(int numPartitions) {
    if (numPartitions < 1) {
      throw new IllegalArgumentException(
          "a partitioner needs at least 1 partition, not " + numPartitions);
    }
    this.numPartitions = numPartitions;
  }

  @Override
  public int numPartitions() {
    return numPartitions;
  }

  @Override
  public int partition(Object key) {
    return key == null ? 0 : Math.floorMod(key.hashCode(), numPartitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashPartitioner that && that.numPartitions == numPartitions;
  }

  @Override
  public int hashCode() {
    return numPartitions;
  }
}
