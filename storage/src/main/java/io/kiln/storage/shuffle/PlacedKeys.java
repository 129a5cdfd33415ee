package io.kiln.storage.shuffle;

import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnException;
import io.kiln.api.Partitioner;
import io.kiln.api.spi.KeyHash;

/// Finds keys that another process placed by another hash code than they have here, since equal
/// ones may then be in different partitions. Looks at no key whose class is certain. Used by the
/// task's thread.
final class PlacedKeys {
  private final Partitioner partitioner;
  private final ShuffleRange range;
  private final boolean isByHash;
  private Class<?> lastCertain = String.class;

  PlacedKeys(Partitioner partitioner, ShuffleRange range) {
    this.partitioner = partitioner;
    this.range = range;
    this.isByHash = partitioner instanceof HashPartitioner;
  }

  /// @throws KilnException `KEY_HASH_VARIES`
  void check(Object key) {
    if (!isByHash || key == null || key.getClass() == lastCertain) {
      return;
    }
    if (KeyHash.isCertain(key.getClass())) {
      lastCertain = key.getClass();
      return;
    }
    int partition = partitioner.partition(key);
    if (partition < range.first() || partition >= range.end()) {
      throw new KilnException(
          "KEY_HASH_VARIES",
          KilnException.Kind.USER,
          "a key of class "
              + key.getClass().getName()
              + " has another hash code in this process than in the one that wrote it, so equal"
              + " keys would not be found; hash enums by name() in its hashCode, and nothing by"
              + " identity, or make it a record");
    }
  }
}
