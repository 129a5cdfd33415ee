package io.kiln.api;

/// Places a key by its `hashCode`: the non-negative remainder of the hash code by the number of
/// partitions; `null` goes to partition 0.
///
/// Arrays hash by identity, so equal ones would be parted: the task that meets one as a key fails.
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
    if (key == null) {
      return 0;
    }
    if (key.getClass().isArray()) {
      throw refused(key);
    }
    return Math.floorMod(key.hashCode(), numPartitions);
  }

  private static KilnException refused(Object key) {
    return new KilnException(
        "KEY_IS_ARRAY",
        KilnException.Kind.USER,
        "a key is an array ("
            + key.getClass().getSimpleName()
            + "), and equal arrays have unequal hash codes; use a list or a record as the key, or a"
            + " partitioner of your own");
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
