package io.kiln.driver;

import io.kiln.api.Dependency;
import io.kiln.api.NarrowDependency;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.ArrayList;
import java.util.List;

/// Prefers the executors that have a persisted partition which a task reads, else the hosts that
/// the input itself prefers.
///
/// @param blocks where partitions of persisted RDDs are
record BlockLocality(Blocks blocks) {
  private static final String EXECUTOR = "executor:";

  /// A lineage is looked through this far: what is persisted further back is worth little.
  private static final int MAX_DEPTH = 64;

  /// Which executors have a partition of a persisted RDD.
  @FunctionalInterface
  interface Blocks {
    List<String> holders(int rddId, int partition);
  }

  /// Computed now, once for all the stage's partitions.
  Locality of(RDD<?> last) {
    List<Partition> partitions = last.partitions();
    List<List<String>> preferred = new ArrayList<>(partitions.size());
    boolean any = false;
    for (Partition split : partitions) {
      List<String> places = places(last, split, 0);
      any |= !places.isEmpty();
      preferred.add(places);
    }
    return any ? preferred::get : Locality.ANYWHERE;
  }

  private List<String> places(RDD<?> rdd, Partition split, int depth) {
    if (rdd.storageLevel().isPersistent()) {
      List<String> holders = blocks.holders(rdd.id(), split.index());
      if (!holders.isEmpty()) {
        return holders.stream().map(EXECUTOR::concat).toList();
      }
    }
    List<String> own = rdd.preferredLocations(split);
    if (!own.isEmpty() || depth == MAX_DEPTH) {
      return own;
    }
    for (Dependency<?> dependency : rdd.dependencies()) {
      if (dependency instanceof NarrowDependency<?> narrow) {
        for (int parent : narrow.parentPartitions(split.index())) {
          List<String> places =
              places(narrow.parent(), narrow.parent().partitions().get(parent), depth + 1);
          if (!places.isEmpty()) {
            return places;
          }
        }
      }
    }
    return List.of();
  }
}
