package io.kiln.storage.shuffle;

/// A reduce task could not have a part of a map output: the map task has to run again.
public abstract sealed class ShuffleFetchFailure extends RuntimeException
    permits ShuffleBlockMissing, ShuffleBlockCorrupted {
  private static final long serialVersionUID = 1L;

  private final int shuffleId;
  private final int mapPartition;
  private final int reducePartition;

  ShuffleFetchFailure(
      int shuffleId, int mapPartition, int reducePartition, String message, Throwable cause) {
    super(message, cause);
    this.shuffleId = shuffleId;
    this.mapPartition = mapPartition;
    this.reducePartition = reducePartition;
  }

  public int shuffleId() {
    return shuffleId;
  }

  public int mapPartition() {
    return mapPartition;
  }

  public int reducePartition() {
    return reducePartition;
  }
}
