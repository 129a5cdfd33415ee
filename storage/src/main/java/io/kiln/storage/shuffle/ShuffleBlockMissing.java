package io.kiln.storage.shuffle;

import java.util.Optional;

/// The map output is not here, or its file can't be read.
public final class ShuffleBlockMissing extends ShuffleFetchFailure {
  private static final long serialVersionUID = 1L;

  /// @param holder as [ShuffleFetchFailure#executorId]
  /// @param why one line
  public ShuffleBlockMissing(
      int shuffleId,
      int mapPartition,
      int reducePartition,
      Optional<String> holder,
      String why,
      Throwable cause) {
    super(shuffleId, mapPartition, reducePartition, holder, " is missing: " + why, cause);
  }
}
