package io.kiln.simulation.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Which map outputs really lie on which executors: the truth that the scheduler can only learn of.
///
/// Of one output on one executor that of the latest task attempt counts.
final class ShuffleFiles {
  private record Name(String executorId, int shuffleId, int mapPartition)
      implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int order = executorId.compareTo(other.executorId);
      order = order != 0 ? order : Integer.compare(shuffleId, other.shuffleId);
      return order != 0 ? order : Integer.compare(mapPartition, other.mapPartition);
    }
  }

  private record Content(long taskId, Provenance provenance) {}

  private final TreeMap<Name, Content> files = new TreeMap<>();

  void write(
      String executorId, int shuffleId, int mapPartition, long taskId, Provenance provenance) {
    Name name = new Name(executorId, shuffleId, mapPartition);
    Content present = files.get(name);
    if (present == null || present.taskId < taskId) {
      files.put(name, new Content(taskId, provenance));
    }
  }

  Optional<Provenance> read(String executorId, int shuffleId, int mapPartition) {
    return Optional.ofNullable(files.get(new Name(executorId, shuffleId, mapPartition)))
        .map(Content::provenance);
  }

  /// Of which the executor has outputs.
  List<Integer> shufflesOf(String executorId) {
    return files.keySet().stream()
        .filter(file -> file.executorId().equals(executorId))
        .map(Name::shuffleId)
        .distinct()
        .toList();
  }

  /// @return the map partitions
  int[] copyAll(String from, String to, int shuffleId) {
    List<Name> copied =
        files.keySet().stream()
            .filter(file -> file.executorId().equals(from) && file.shuffleId() == shuffleId)
            .toList();
    for (Name file : copied) {
      Content content = files.get(file);
      write(to, shuffleId, file.mapPartition(), content.taskId(), content.provenance());
    }
    return copied.stream().mapToInt(Name::mapPartition).toArray();
  }

  void loseAll(String executorId) {
    files.keySet().removeIf(file -> file.executorId().equals(executorId));
  }

  void loseSome(RandomGenerator random) {
    List<Name> all = new ArrayList<>(files.keySet());
    if (!all.isEmpty()) {
      files.remove(all.get(random.nextInt(all.size())));
    }
  }
}
