package io.kiln.scheduler.dag;

import java.util.BitSet;
import java.util.Optional;

/// Where the outputs of one shuffle lie. It survives the jobs that made them, until nobody refers
/// to the shuffle any more.
final class MapOutputs {
  private final int shuffleId;
  private final String[] executorIds;
  private final BitSet everComputed = new BitSet();
  private int missing;
  private int nextStageAttempt;
  private boolean forgotten;

  MapOutputs(int shuffleId, int numMaps) {
    this.shuffleId = shuffleId;
    this.executorIds = new String[numMaps];
    this.missing = numMaps;
  }

  int shuffleId() {
    return shuffleId;
  }

  boolean isComplete() {
    return missing == 0;
  }

  Optional<String> location(int mapPartition) {
    return Optional.ofNullable(executorIds[mapPartition]);
  }

  /// @return whether it was missing
  boolean add(int mapPartition, String executorId) {
    if (executorIds[mapPartition] != null) {
      return false;
    }
    executorIds[mapPartition] = executorId;
    missing--;
    return true;
  }

  /// Whether a map task of this partition succeeds for the first time ever: what it counted is
  /// counted once, however often its output has to be made again.
  boolean isFirst(int mapPartition) {
    boolean first = !everComputed.get(mapPartition);
    everComputed.set(mapPartition);
    return first;
  }

  /// @return whether it was thought to lie there
  boolean remove(int mapPartition, String executorId) {
    if (!executorId.equals(executorIds[mapPartition])) {
      return false;
    }
    executorIds[mapPartition] = null;
    missing++;
    return true;
  }

  void removeAll(String executorId) {
    for (int map = 0; map < executorIds.length; map++) {
      remove(map, executorId);
    }
  }

  int[] missingPartitions() {
    int[] partitions = new int[missing];
    int found = 0;
    for (int map = 0; map < executorIds.length; map++) {
      if (executorIds[map] == null) {
        partitions[found++] = map;
      }
    }
    return partitions;
  }

  /// Attempt numbers of the shuffle's stage grow from job to job, so that none is used twice.
  int takeStageAttempt() {
    return nextStageAttempt++;
  }

  void forget() {
    forgotten = true;
  }

  boolean isForgotten() {
    return forgotten;
  }
}
