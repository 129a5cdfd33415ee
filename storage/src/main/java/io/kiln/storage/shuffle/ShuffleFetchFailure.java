package io.kiln.storage.shuffle;

import java.util.Optional;

/// A reduce task could not have a part of a map output: the map task has to run again.
public abstract sealed class ShuffleFetchFailure extends RuntimeException
    permits ShuffleBlockMissing, ShuffleBlockCorrupted {
  private static final long serialVersionUID = 1L;

  private final int shuffleId;
  private final int mapPartition;
  private final int reducePartition;
  private final String executorId; // of another process, or null

  /// @param holder the executor that was asked, `""` if nobody is known to hold it; empty if it is
  /// this process
  ShuffleFetchFailure(
      int shuffleId,
      int mapPartition,
      int reducePartition,
      Optional<String> holder,
      String problem,
      Throwable cause) {
    super(
        "output of map task "
            + mapPartition
            + " of shuffle "
            + shuffleId
            + " for partition "
            + reducePartition
            + holder.map(id -> id.isEmpty() ? "" : " on executor " + id).orElse("")
            + problem,
        cause);
    this.shuffleId = shuffleId;
    this.mapPartition = mapPartition;
    this.reducePartition = reducePartition;
    this.executorId = holder.orElse(null);
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

  /// The executor that was asked for it.
  ///
  /// @return `""` if nobody is known to hold it; empty if it was this process
  public Optional<String> executorId() {
    return Optional.ofNullable(executorId);
  }
}
