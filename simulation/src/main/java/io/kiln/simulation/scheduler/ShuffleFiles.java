package io.kiln.simulation.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// Which map outputs really lie on which executors: the truth that the scheduler can only learn of.
final class ShuffleFiles {
  private record File(String executorId, int shuffleId, int mapPartition)
      implements Comparable<File> {
    @Override
    public int compareTo(File other) {
      int order = executorId.compareTo(other.executorId);
      order = order != 0 ? order : Integer.compare(shuffleId, other.shuffleId);
      return order != 0 ? order : Integer.compare(mapPartition, other.mapPartition);
    }
  }

  private final TreeSet<File> files = new TreeSet<>();

  void write(String executorId, int shuffleId, int mapPartition) {
    files.add(new File(executorId, shuffleId, mapPartition));
  }

  boolean exists(String executorId, int shuffleId, int mapPartition) {
    return files.contains(new File(executorId, shuffleId, mapPartition));
  }

  void loseAll(String executorId) {
    files.removeIf(file -> file.executorId().equals(executorId));
  }

  void loseSome(RandomGenerator random) {
    List<File> all = new ArrayList<>(files);
    if (!all.isEmpty()) {
      files.remove(all.get(random.nextInt(all.size())));
    }
  }
}
