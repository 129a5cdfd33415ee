package io.kiln.storage.shuffle;

import java.util.Optional;

/// The bytes read are not those that were written.
public final class ShuffleBlockCorrupted extends ShuffleFetchFailure {
  private static final long serialVersionUID = 1L;

  /// @param holder as [ShuffleFetchFailure#executorId]
  /// @param why one line
  public ShuffleBlockCorrupted(
      int shuffleId,
      int mapPartition,
      int reducePartition,
      Optional<String> holder,
      String why,
      Throwable cause) {
    super(shuffleId, mapPartition, reducePartition, holder, " is corrupted: " + why, cause);
  }
}
