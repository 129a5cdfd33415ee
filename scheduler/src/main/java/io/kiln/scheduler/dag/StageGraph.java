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

  /// What the tasks of a stage read.
  ///
  /// @param needed the shuffles that have to be complete before it starts; their stages are in the
  ///     graph
  /// @param spared the shuffles that lie behind RDDs which were stored as a whole when the job was
  ///     planned: a task reads one only where a stored partition is gone since, and then the job
  ///     needs another plan
  /// @param persistedRddIds what the tasks store, or read where it is stored
  public record Inputs(List<Integer> needed, List<Integer> spared, List<Integer> persistedRddIds) {
    public Inputs {
      needed = List.copyOf(needed);
      spared = List.copyOf(spared);
      persistedRddIds = List.copyOf(persistedRddIds);
    }

    /// Of a stage that reads shuffles, and nothing that is persisted.
    public static Inputs ofShuffles(List<Integer> shuffleIds) {
      return new Inputs(shuffleIds, List.of(), List.of());
    }

    /// Whether what the stage computes comes from the shuffle, by way of what is stored or not.
    boolean comeFrom(int shuffleId) {
      return needed.contains(shuffleId) || spared.contains(shuffleId);
    }
  }

  /// A stage: the same work on each of its partitions, with no shuffle inside.
  ///
  /// @param stageId unique in the application; a shuffle keeps its stage id from job to job
  /// @param shuffleId what its map tasks write, or [#NO_SHUFFLE]
  /// @param numPartitions of the stage's last RDD
  /// @param name for people: the operation and the user's line
  /// @param binary what executors need to run its tasks
  /// @param locality where its partitions are cheap to compute
  /// @param indeterminate of a map stage: whether a partition that is computed again may have other
  ///     records than before
  public record Stage(
      int stageId,
      int shuffleId,
      int numPartitions,
      Inputs inputs,
      String name,
      Payload binary,
      Locality locality,
      boolean indeterminate) {

    /// A stage whose partitions always have the same records.
    public Stage(
        int stageId,
        int shuffleId,
        int numPartitions,
        Inputs inputs,
        String name,
        Payload binary,
        Locality locality) {
      this(stageId, shuffleId, numPartitions, inputs, name, binary, locality, false);
    }

    /// The same stage, whose partitions may have other records when they are computed again.
    public Stage asIndeterminate() {
      return new Stage(stageId, shuffleId, numPartitions, inputs, name, binary, locality, true);
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
