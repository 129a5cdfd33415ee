package io.kiln.api;

import java.io.Serializable;

/// Says where a persisted RDD keeps its partitions.
///
/// @param useDisk whether a partition goes to disk when memory is short, or at once if `useMemory`
///     is false
/// @param useMemory whether a partition stays in memory while there is room
/// @param useOffHeap whether that memory is outside the Java heap; then `deserialized` is false
/// @param deserialized whether a partition is kept as Java objects rather than as bytes
/// @param replication on how many executors a partition is kept, from 1 to 40
public record StorageLevel(
    boolean useDisk, boolean useMemory, boolean useOffHeap, boolean deserialized, int replication)
    implements Serializable {
  public static final StorageLevel NONE = new StorageLevel(false, false, false, false, 1);
  public static final StorageLevel DISK_ONLY = new StorageLevel(true, false, false, false, 1);
  public static final StorageLevel DISK_ONLY_2 = new StorageLevel(true, false, false, false, 2);
  public static final StorageLevel DISK_ONLY_3 = new StorageLevel(true, false, false, false, 3);
  public static final StorageLevel MEMORY_ONLY = new StorageLevel(false, true, false, true, 1);
  public static final StorageLevel MEMORY_ONLY_2 = new StorageLevel(false, true, false, true, 2);
  public static final StorageLevel MEMORY_ONLY_SER = new StorageLevel(false, true, false, false, 1);
  public static final StorageLevel MEMORY_ONLY_SER_2 =
      new StorageLevel(false, true, false, false, 2);
  public static final StorageLevel MEMORY_AND_DISK = new StorageLevel(true, true, false, true, 1);
  public static final StorageLevel MEMORY_AND_DISK_2 = new StorageLevel(true, true, false, true, 2);
  public static final StorageLevel MEMORY_AND_DISK_SER =
      new StorageLevel(true, true, false, false, 1);
  public static final StorageLevel MEMORY_AND_DISK_SER_2 =
      new StorageLevel(true, true, false, false, 2);
  public static final StorageLevel OFF_HEAP = new StorageLevel(true, true, true, false, 1);

  public StorageLevel {
    if (replication < 1 || replication > 40) {
      throw new IllegalArgumentException("replication must be from 1 to 40, not " + replication);
    }
    if (useOffHeap && deserialized) {
      throw new IllegalArgumentException("off-heap storage holds bytes, not objects");
    }
  }

  /// Describes the level in words, for people.
  public String describe() {
    String where =
        (useDisk ? "Disk " : "")
            + (useMemory ? (useOffHeap ? "Memory (off heap) " : "Memory ") : "")
            + (deserialized ? "Deserialized " : "Serialized ");
    return where + replication + "x Replicated";
  }

  /// Returns whether anything is kept at all.
  public boolean isPersistent() {
    return useDisk || useMemory;
  }
}
