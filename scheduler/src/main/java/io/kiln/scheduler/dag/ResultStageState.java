package io.kiln.scheduler.dag;

import io.kiln.base.machine.Payload;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/// The last stage of one job.
final class ResultStageState extends StageState {
  private static final int NOT_ASKED_FOR = -1;

  private final int[] partitions;
  private final int[] indexes;
  private final BitSet done = new BitSet();
  private int left;
  private int nextAttempt;
  private int oldestAttempt;

  /// @param partitions those that the job asks for
  ResultStageState(Stage stage, int[] partitions) {
    super(stage);
    this.partitions = partitions;
    this.left = partitions.length;
    this.indexes = isAll(partitions) ? partitions : indexes(partitions, stage.numPartitions());
  }

  /// @return the result to pass on, unless the partition has one already
  Optional<PartitionResult> add(int partition, Payload result) {
    int index = partition < indexes.length ? indexes[partition] : NOT_ASKED_FOR;
    if (index == NOT_ASKED_FOR || done.get(index)) {
      return Optional.empty();
    }
    done.set(index);
    left--;
    return Optional.of(new PartitionResult(index, result));
  }

  /// Whether the job's client has results that can't be taken back.
  boolean hasDelivered() {
    return left < partitions.length;
  }

  @Override
  boolean isComplete() {
    return left == 0;
  }

  @Override
  int[] missingPartitions() {
    if (left == partitions.length) {
      return partitions;
    }
    int[] missing = new int[left];
    int found = 0;
    for (int index = 0; index < partitions.length; index++) {
      if (!done.get(index)) {
        missing[found++] = partitions[index];
      }
    }
    return missing;
  }

  @Override
  int takeAttempt() {
    return nextAttempt++;
  }

  @Override
  boolean accepts(int stageAttempt) {
    return stageAttempt >= oldestAttempt;
  }

  @Override
  void refuseEarlierAttempts() {
    oldestAttempt = nextAttempt;
  }

  private static boolean isAll(int[] partitions) {
    for (int index = 0; index < partitions.length; index++) {
      if (partitions[index] != index) {
        return false;
      }
    }
    return true;
  }

  private static int[] indexes(int[] partitions, int numPartitions) {
    int[] indexes = new int[numPartitions];
    Arrays.fill(indexes, NOT_ASKED_FOR);
    for (int index = 0; index < partitions.length; index++) {
      indexes[partitions[index]] = index;
    }
    return indexes;
  }
}
