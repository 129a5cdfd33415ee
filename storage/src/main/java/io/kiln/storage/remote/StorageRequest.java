package io.kiln.storage.remote;

/// What a [BlockServer] is asked.
public sealed interface StorageRequest {

  /// Parts of map outputs, answered as [ShuffleContent] says.
  ///
  /// @param mapPartitions in the order in which they are to come
  record FetchShuffle(int shuffleId, int[] mapPartitions, int first, int end)
      implements StorageRequest {}

  /// Whether the disk still has a part of a map output as it was written: one byte, 1 or 0.
  record CheckShuffle(int shuffleId, int mapPartition, int reducePartition)
      implements StorageRequest {}
}
