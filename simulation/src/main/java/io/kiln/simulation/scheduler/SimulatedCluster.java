package io.kiln.simulation.scheduler;

import io.kiln.scheduler.dag.DagScheduler;
import java.util.Optional;

/// What the doubles share: files, how likely things go wrong, and where readers are told to look.
final class SimulatedCluster {
  record MissingInput(int shuffleId, int mapPartition, String executorId) {}

  /// What a task has read so far.
  ///
  /// @param missing the first input that is not where the driver says that it is
  record Reading(Provenance provenance, Optional<MissingInput> missing) {}

  private final ShuffleFiles files = new ShuffleFiles();
  private final DagScheduler dag;
  private Mishaps mishaps;
  private long nextVersion;

  SimulatedCluster(DagScheduler dag, Mishaps mishaps) {
    this.dag = dag;
    this.mishaps = mishaps;
  }

  ShuffleFiles files() {
    return files;
  }

  Mishaps mishaps() {
    return mishaps;
  }

  void heal() {
    mishaps = Mishaps.NONE;
  }

  /// Of an output that differs each time that it is written.
  long nextVersion() {
    return nextVersion++;
  }

  /// Reads every second input of a task: one half when it starts, the other when it ends, so that
  /// something may change in between. An input of which the driver itself knows that it is gone
  /// counts as missing wherever it was.
  Reading read(StageWork work, int half) {
    Provenance provenance = Provenance.NONE;
    for (StageWork.Input input : work.parents()) {
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
