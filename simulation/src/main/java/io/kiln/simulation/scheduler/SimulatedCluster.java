package io.kiln.simulation.scheduler;

import io.kiln.scheduler.dag.DagScheduler;
import java.util.Optional;

/// What the doubles share: files, how likely things go wrong, and where readers are told to look.
final class SimulatedCluster {
  record MissingInput(int shuffleId, int mapPartition, String executorId) {}

  private final ShuffleFiles files = new ShuffleFiles();
  private final DagScheduler dag;
  private Mishaps mishaps;

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

  /// The first input of a task that is not where the driver says that it is. An input of which the
  /// driver itself knows that it is gone counts as missing wherever it was.
  Optional<MissingInput> missingInput(StageWork work) {
    for (StageWork.Input input : work.parents()) {
      for (int map = 0; map < input.numMaps(); map++) {
        String executorId = dag.outputLocation(input.shuffleId(), map).orElse("nowhere");
        if (!files.exists(executorId, input.shuffleId(), map)) {
          return Optional.of(new MissingInput(input.shuffleId(), map, executorId));
        }
      }
    }
    return Optional.empty();
  }
}
