package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.StageGraph.Inputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Where the outputs of one shuffle lie. It survives the jobs that made them, until nobody refers
/// to the shuffle any more.
final class MapOutputs {
  private final int shuffleId;
  private final Set<Integer> sources = new TreeSet<>();
  private final Set<Integer> storedRddIds = new TreeSet<>();
  private final String[] executorIds;
  private final BitSet everComputed = new BitSet();
  private int missing;
  private int nextStageAttempt;
  private int oldestStageAttempt;
  private boolean forgotten;

  MapOutputs(StageGraph.Stage stage) {
    this.shuffleId = stage.shuffleId();
    this.executorIds = new String[stage.numPartitions()];
    this.missing = executorIds.length;
  }

  int shuffleId() {
    return shuffleId;
  }

  /// Its map tasks compute what they write from these.
  void madeFrom(Inputs inputs) {
    sources.addAll(inputs.needed());
    sources.addAll(inputs.spared());
  }

  /// Whether a map task's output comes from the other shuffle; where there is no map task, none
  /// does.
  boolean isMadeFrom(int otherShuffleId) {
    return executorIds.length > 0 && sources.contains(otherShuffleId);
  }

  /// Partitions of these RDDs may be stored that were computed from the outputs.
  void mayBeStoredIn(List<Integer> rddIds) {
    storedRddIds.addAll(rddIds);
  }

  Set<Integer> storedRddIds() {
    return storedRddIds;
  }

  boolean isComplete() {
    return missing == 0;
  }

  /// Whether not a single output is there.
  boolean isEmpty() {
    return missing == executorIds.length;
  }

  Optional<String> location(int mapPartition) {
    return Optional.ofNullable(executorIds[mapPartition]);
  }

  /// For each map partition; empty where there is none.
  List<String> locations() {
    List<String> locations = new ArrayList<>(executorIds.length);
    for (String executorId : executorIds) {
      locations.add(executorId == null ? "" : executorId);
    }
    return locations;
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

  /// Does nothing if it does not lie there any more.
  void move(int mapPartition, String from, String to) {
    if (from.equals(executorIds[mapPartition])) {
      executorIds[mapPartition] = to;
    }
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

  /// Whether an output of this attempt is welcome.
  boolean accepts(int stageAttempt) {
    return stageAttempt >= oldestStageAttempt;
  }

  /// What attempts up to now still compute is not welcome any more.
  void refuseEarlierAttempts() {
    oldestStageAttempt = nextStageAttempt;
  }

  /// Forgets every output, who has stored what of them, and what attempts up to now still compute.
  void startOver() {
    Arrays.fill(executorIds, null);
    storedRddIds.clear();
    missing = executorIds.length;
    refuseEarlierAttempts();
  }

  void forget() {
    forgotten = true;
  }

  boolean isForgotten() {
    return forgotten;
  }
}
