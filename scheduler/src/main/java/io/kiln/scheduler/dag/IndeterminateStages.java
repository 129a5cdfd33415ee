package io.kiln.scheduler.dag;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Map stages whose outputs differ each time that they are computed, because they depend on the
/// order of the input or on chance.
///
/// Two readers of such a stage must not see different versions of an output: records would be
/// missing in the result, or be there twice. So when one of its outputs has to be computed again
/// while somebody has read, or may be reading, the one that is lost, all of them are, and so is
/// whatever was computed from them, down to the results. Results that the job's client has can't be
/// taken back; then the job fails.
final class IndeterminateStages {
  private final Shuffles shuffles;
  private final Collection<StageState> stages;

  /// @param shuffles those that somebody refers to
  /// @param stages those of the jobs that have not ended; a view
  IndeterminateStages(Shuffles shuffles, Collection<StageState> stages) {
    this.shuffles = shuffles;
    this.stages = stages;
  }

  /// Whether to wait with a stage that could start, since starting it would end a job of which some
  /// results are delivered, and which may have read all that it needs.
  boolean mustWait(StageState stage) {
    return stage.stage().indeterminate()
        && readers(computedFrom(stage)).stream()
            .anyMatch(reader -> reader.isRunning() && hasDelivered(reader));
  }

  /// Whether the stage, which is about to start, can't do so without others.
  boolean mustStartOver(StageState stage) {
    if (!stage.stage().indeterminate()) {
      return false;
    }
    Set<Integer> computed = computedFrom(stage);
    return readers(computed).stream()
            .anyMatch(reader -> reader.mayHaveTasks() || hasDelivered(reader))
        || !storedFrom(computed).isEmpty()
        || computed.stream()
            .filter(shuffleId -> shuffleId != stage.stage().shuffleId())
            .anyMatch(shuffleId -> !shuffles.find(shuffleId).orElseThrow().isEmpty());
  }

  /// The persisted RDDs of which partitions may be stored that were computed from the stage's
  /// outputs.
  Set<Integer> storedFrom(StageState stage) {
    return storedFrom(computedFrom(stage));
  }

  private Set<Integer> storedFrom(Set<Integer> shuffleIds) {
    Set<Integer> stored = new TreeSet<>();
    for (int shuffleId : shuffleIds) {
      stored.addAll(shuffles.find(shuffleId).orElseThrow().storedRddIds());
    }
    return stored;
  }

  /// Forgets the stage's outputs and all that was computed from them. What is on its way is not
  /// welcome any more. What is stored is for the caller to drop.
  ///
  /// @return the stages of running jobs that have to start over, or can't
  List<StageState> startOver(StageState stage) {
    Set<Integer> computed = computedFrom(stage);
    computed.forEach(shuffleId -> shuffles.find(shuffleId).orElseThrow().startOver());
    List<StageState> readers = readers(computed);
    for (StageState reader : readers) {
      reader.refuseEarlierAttempts();
      computed.forEach(reader::miss);
    }
    return readers;
  }

  private static boolean hasDelivered(StageState stage) {
    return stage instanceof ResultStageState result && result.hasDelivered();
  }

  /// The stage's own shuffle and those that are computed from it, directly or not.
  private Set<Integer> computedFrom(StageState stage) {
    Set<Integer> found = new TreeSet<>();
    Deque<Integer> open = new ArrayDeque<>();
    open.add(stage.stage().shuffleId());
    while (!open.isEmpty()) {
      int shuffleId = open.remove();
      if (found.add(shuffleId)) {
        for (MapOutputs child : shuffles.all()) {
          if (child.isMadeFrom(shuffleId)) {
            open.add(child.shuffleId());
          }
        }
      }
    }
    return found;
  }

  private List<StageState> readers(Set<Integer> shuffleIds) {
    List<StageState> found = new ArrayList<>();
    for (StageState reader : stages) {
      if (reader.comesFrom(shuffleIds)) {
        found.add(reader);
      }
    }
    return found;
  }
}
