package io.kiln.api;

import io.kiln.api.spi.KeyHash;

/// Places a key by its `hashCode`. The partition is the non-negative remainder of the hash code by
/// the number of partitions; `null` goes to partition 0. A constant of an enum hashes by its name,
/// as its `hashCode` differs between processes. That holds inside of records, pairs, lists, sets,
/// maps and optionals too.
///
/// Arrays, and objects of classes without a `hashCode` of their own, hash by identity, so equal
/// ones would be parted. A task that meets one as a key fails.
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

  private HashPartitioner() {
    this.numPartitions = 0;
  }

  /// For as many partitions as the input has: none, if it has none.
  static HashPartitioner forInput(int numPartitions) {
    return numPartitions == 0 ? new HashPartitioner() : new HashPartitioner(numPartitions);
  }

  @Override
  public int numPartitions() {
    return numPartitions;
  }

  @Override
  public int partition(Object key) {
    return key == null ? 0 : Math.floorMod(KeyHash.of(key), numPartitions);
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
