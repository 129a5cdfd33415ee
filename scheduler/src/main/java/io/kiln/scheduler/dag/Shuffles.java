package io.kiln.scheduler.dag;

import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The map outputs of every shuffle that somebody still refers to.
final class Shuffles {
  private final Map<Integer, MapOutputs> outputs = new LinkedHashMap<>();

  /// Those that the stage writes.
  MapOutputs of(StageGraph.Stage stage) {
    return outputs.computeIfAbsent(stage.shuffleId(), _ -> new MapOutputs(stage));
  }

  /// An attempt of the stage starts: what it persists is computed from what it reads.
  void readBy(StageGraph.Stage stage) {
    StageGraph.Inputs inputs = stage.inputs();
    if (inputs.persistedRddIds().isEmpty()) {
      return;
    }
    for (List<Integer> read : List.of(inputs.needed(), inputs.spared())) {
      for (int shuffleId : read) {
        find(shuffleId).ifPresent(source -> source.mayBeStoredIn(inputs.persistedRddIds()));
      }
    }
  }

  Collection<MapOutputs> all() {
    return outputs.values();
  }

  Optional<MapOutputs> find(int shuffleId) {
    return Optional.ofNullable(outputs.get(shuffleId));
  }

  /// For each map partition; empty where there is none.
  List<String> locations(int shuffleId) {
    return find(shuffleId).map(MapOutputs::locations).orElse(List.of());
  }

  void move(OutputsMoved moved) {
    find(moved.shuffleId())
        .ifPresent(
            shuffle -> {
              for (int mapPartition : moved.mapPartitions()) {
                shuffle.move(mapPartition, moved.from(), moved.to());
              }
            });
  }

  void remove(int shuffleId) {
    outputs.remove(shuffleId);
  }

  void executorLost(String executorId) {
    outputs.values().forEach(shuffle -> shuffle.removeAll(executorId));
  }
}
