package io.kiln.scheduler.dag;

import io.kiln.base.machine.Payload;
import java.util.List;

/// A job as the scheduler sees it: its stages, parents before children, the result stage last. No
/// user object is in it.
public record StageGraph(List<Stage> stages) {
  /// The shuffle of a stage that writes none: the result stage.
  public static final int NO_SHUFFLE = -1;

  public StageGraph {
    stages = List.copyOf(stages);
  }

  public Stage resultStage() {
    return stages.getLast();
  }

  /// A stage: the same work on each of its partitions, with no shuffle inside.
  ///
  /// @param stageId unique in the application; a shuffle keeps its stage id from job to job
  /// @param shuffleId what its map tasks write, or [#NO_SHUFFLE]
  /// @param numPartitions of the stage's last RDD
  /// @param parentShuffleIds the shuffles that it reads; their stages are in the graph
  /// @param name for people: the operation and the user's line
  /// @param binary what executors need to run its tasks
  /// @param locality where its partitions are cheap to compute
  /// @param indeterminate of a map stage: whether a partition that is computed again may have other
  ///     records than before
  public record Stage(
      int stageId,
      int shuffleId,
      int numPartitions,
      List<Integer> parentShuffleIds,
      String name,
      Payload binary,
      Locality locality,
      boolean indeterminate) {
    public Stage {
      parentShuffleIds = List.copyOf(parentShuffleIds);
    }

    /// A stage whose partitions always have the same records.
    public Stage(
        int stageId,
        int shuffleId,
        int numPartitions,
        List<Integer> parentShuffleIds,
        String name,
        Payload binary,
        Locality locality) {
      this(stageId, shuffleId, numPartitions, parentShuffleIds, name, binary, locality, false);
    }

    /// The same stage, whose partitions may have other records when they are computed again.
    public Stage asIndeterminate() {
      return new Stage(
          stageId, shuffleId, numPartitions, parentShuffleIds, name, binary, locality, true);
    }

    public boolean writesShuffle() {
      return shuffleId != NO_SHUFFLE;
    }
  }

  /// Where partitions are cheap to compute.
  @FunctionalInterface
  public interface Locality {
    /// No preference.
    Locality ANYWHERE = _ -> List.of();

    /// @return hosts, or `executor:ID` for an executor's memory; the same answer at each call
    List<String> preferred(int partition);
  }
}
