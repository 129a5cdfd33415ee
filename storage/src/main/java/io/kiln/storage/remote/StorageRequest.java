package io.kiln.storage.remote;

import io.kiln.api.StorageLevel;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.DataHolder;
import io.kiln.storage.shuffle.OutputOrigin;

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

  /// A block's bytes, as a [CheckedContent].
  record ReadBlock(BlockId id) implements StorageRequest {}

  /// To get the block from where it was stored and keep a copy: one byte, 1 if it is there now, 0
  /// if there is no room.
  record CopyBlock(BlockId id, StorageLevel level, DataHolder from) implements StorageRequest {}

  /// To get a map output from where it lies and keep a copy: one byte, 1 if it is there now, 0 if
  /// it is not, since there is no room or another attempt's counts.
  ///
  /// @param numPartitions reduce partitions that it has
  record CopyOutput(OutputOrigin output, int numPartitions, DataHolder from)
      implements StorageRequest {}

  /// What pieces a broadcast has: a [BroadcastLayout].
  record DescribeBroadcast(long id) implements StorageRequest {}
}
