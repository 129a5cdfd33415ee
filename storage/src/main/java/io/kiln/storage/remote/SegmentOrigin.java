package io.kiln.storage.remote;

import io.kiln.storage.shuffle.ShuffleBlockCorrupted;
import io.kiln.storage.shuffle.ShuffleBlockMissing;
import java.util.Optional;

/// Where a part of a map output comes from.
///
/// @param executorId `""` if nobody is known to have it
record SegmentOrigin(String executorId, int shuffleId, int mapPartition, int reducePartition) {

  ShuffleBlockMissing missing(String why, Throwable cause) {
    return new ShuffleBlockMissing(
        shuffleId, mapPartition, reducePartition, Optional.of(executorId), why, cause);
  }

  ShuffleBlockCorrupted corrupted(String why) {
    return new ShuffleBlockCorrupted(
        shuffleId, mapPartition, reducePartition, Optional.of(executorId), why, null);
  }
}
