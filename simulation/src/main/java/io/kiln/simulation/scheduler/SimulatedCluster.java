package io.kiln.simulation.scheduler;

import io.kiln.scheduler.dag.DagScheduler;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What the doubles share: files, how likely things go wrong, and where readers are told to look.
final class SimulatedCluster {
  record MissingInput(int shuffleId, int mapPartition, String executorId) {}

  /// What a task has read so far.
  ///
  /// @param missing the first input that is not where the driver says that it is
  record Reading(Provenance provenance, Optional<MissingInput> missing) {
    static final Reading NOTHING = new Reading(Provenance.NONE, Optional.empty());

    Reading and(Reading other) {
      return new Reading(provenance.and(other.provenance), missing.or(other::missing));
    }
  }

  private final ShuffleFiles files = new ShuffleFiles();
  private final StoredBlocks blocks = new StoredBlocks();
  private final TreeSet<String> up = new TreeSet<>();
  private final DagScheduler dag;
  private ExecutorMishaps mishaps;
  private long nextVersion;

  SimulatedCluster(DagScheduler dag, ExecutorMishaps mishaps) {
    this.dag = dag;
    this.mishaps = mishaps;
  }

  ShuffleFiles files() {
    return files;
  }

  StoredBlocks blocks() {
    return blocks;
  }

  /// The executor has something to do.
  void isUp(String executorId) {
    up.add(executorId);
  }

  void died(String executorId) {
    up.remove(executorId);
    files.loseAll(executorId);
    blocks.loseAll(executorId);
  }

  /// A task has computed a partition of a persisted RDD.
  void store(
      String executorId, PersistedRdd rdd, int partition, long taskId, Provenance provenance) {
    blocks.store(executorId, rdd, partition, taskId, provenance);
    up.stream()
        .filter(other -> !other.equals(executorId))
        .limit(rdd.copies() - 1L)
        .forEach(other -> blocks.store(other, rdd, partition, taskId, provenance));
  }

  ExecutorMishaps mishaps() {
    return mishaps;
  }

  void heal() {
    mishaps = ExecutorMishaps.NONE;
  }

  /// Of an output that differs each time that it is written.
  long nextVersion() {
    return nextVersion++;
  }

  /// Reads every second input of a task: one half when it starts, the other when it ends, so that
  /// something may change in between. An input of which the driver itself knows that it is gone
  /// counts as missing wherever it was.
  Reading read(List<SimulatedStage.Input> inputs, int half) {
    Provenance provenance = Provenance.NONE;
    for (SimulatedStage.Input input : inputs) {
      for (int map = half; map < input.numMaps(); map += 2) {
        String executorId = dag.outputLocation(input.shuffleId(), map).orElse("nowhere");
        Optional<Provenance> file = files.read(executorId, input.shuffleId(), map);
        if (file.isEmpty()) {
          return new Reading(
              provenance, Optional.of(new MissingInput(input.shuffleId(), map, executorId)));
        }
        provenance = provenance.and(file.get());
      }
    }
    return new Reading(provenance, Optional.empty());
  }
}
