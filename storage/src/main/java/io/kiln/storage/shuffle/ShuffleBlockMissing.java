package io.kiln.storage.shuffle;

/// The map output is not here, or its file can't be read.
public final class ShuffleBlockMissing extends ShuffleFetchFailure {
  private static final long serialVersionUID = 1L;

  /// @param why one line
  public ShuffleBlockMissing(
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
            + " is missing: "
            + why,
        cause);
  }
}
