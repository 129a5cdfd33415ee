package io.kiln.storage.shuffle;

/// The bytes read are not those that were written.
public final class ShuffleBlockCorrupted extends ShuffleFetchFailure {
  private static final long serialVersionUID = 1L;

  /// @param why one line
  public ShuffleBlockCorrupted(
      int shuffleId, int mapPartition, int reducePartition, String why, Throwable cause) {
    super(
        shuffleId,
        mapPartition,
        reducePartition,
        "output of map task "
            + mapPartition
            + " of shuffle "
            + shuffleId
            + " for partition "
            + reducePartition
            + " is corrupted: "
            + why,
        cause);
  }
}
