package io.kiln.shuffle.server;

import io.kiln.protocol.DataHolder;
import io.kiln.shuffle.OutputOrigin;

/// What a [ShuffleServer] is asked.
public sealed interface ShuffleRequest {

  /// Parts of map outputs, answered as [ShuffleContent] says.
  ///
  /// @param mapPartitions in the order in which they are to come
  record FetchShuffle(int shuffleId, int[] mapPartitions, int first, int end)
      implements ShuffleRequest {}

  /// Whether the disk still has a part of a map output as it was written: one byte, 1 or 0.
  record CheckShuffle(int shuffleId, int mapPartition, int reducePartition)
      implements ShuffleRequest {}

  /// To get a map output from where it lies and keep a copy: one byte, 1 if it is there now, 0 if
  /// it is not, since there is no room or another attempt's counts.
  ///
  /// @param numPartitions reduce partitions that it has
  record CopyOutput(OutputOrigin output, int numPartitions, DataHolder from)
      implements ShuffleRequest {}
}
