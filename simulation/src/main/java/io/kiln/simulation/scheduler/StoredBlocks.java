package io.kiln.simulation.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Which partitions of persisted RDDs really lie on which executors: the truth of which the driver
/// may have heard late.
final class StoredBlocks {
  private record Name(int rddId, int partition, String executorId) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int order = Integer.compare(rddId, other.rddId);
      order = order != 0 ? order : Integer.compare(partition, other.partition);
      return order != 0 ? order : executorId.compareTo(other.executorId);
    }
  }

  private record Content(Provenance provenance, boolean onDisk) {}

  private final TreeMap<Name, Content> blocks = new TreeMap<>();

  /// As `rdd:partition`, since the RDD was removed last.
  private final Set<String> everStored = new HashSet<>();

  /// By RDD, the first task that may store some of it.
  private final Map<Integer, Long> fences = new HashMap<>();

  private long newestTask = -1;

  void taskStarted(long taskId) {
    newestTask = Math.max(newestTask, taskId);
  }

  void store(
      String executorId, PersistedRdd rdd, int partition, long taskId, Provenance provenance) {
    if (taskId >= fences.getOrDefault(rdd.id(), 0L)) {
      blocks.put(new Name(rdd.id(), partition, executorId), new Content(provenance, rdd.onDisk()));
      everStored.add(rdd.id() + ":" + partition);
    }
  }

  Optional<Provenance> find(int rddId, int partition) {
    Map.Entry<Name, Content> first = blocks.ceilingEntry(new Name(rddId, partition, ""));
    return first != null
            && first.getKey().rddId() == rddId
            && first.getKey().partition() == partition
        ? Optional.of(first.getValue().provenance())
        : Optional.empty();
  }

  boolean holdsAll(PersistedRdd rdd) {
    for (int partition = 0; partition < rdd.numPartitions(); partition++) {
      if (find(rdd.id(), partition).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /// What who has not heard of any loss believes.
  boolean heldAllOnce(PersistedRdd rdd) {
    for (int partition = 0; partition < rdd.numPartitions(); partition++) {
      if (!everStored.contains(rdd.id() + ":" + partition)) {
        return false;
      }
    }
    return true;
  }

  void loseAll(String executorId) {
    blocks.keySet().removeIf(block -> block.executorId().equals(executorId));
  }

  /// For want of memory.
  void evictSome(RandomGenerator random) {
    List<Name> evictable = new ArrayList<>();
    blocks.forEach(
        (name, content) -> {
          if (!content.onDisk()) {
            evictable.add(name);
          }
        });
    if (!evictable.isEmpty()) {
      blocks.remove(evictable.get(random.nextInt(evictable.size())));
    }
  }

  void remove(int rddId) {
    blocks.keySet().removeIf(block -> block.rddId() == rddId);
    everStored.removeIf(block -> block.startsWith(rddId + ":"));
  }

  /// Tasks that have started by now store nothing of it any more.
  void dropForGood(int rddId) {
    remove(rddId);
    fences.put(rddId, newestTask + 1);
  }
}
