package io.kiln.driver;

import io.kiln.api.RDD;
import io.kiln.api.spi.StoredPlaces;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.List;

/// Prefers the executors that have a persisted partition which a task reads, else the hosts that
/// the input itself prefers.
///
/// @param executors which executors have a partition of a persisted RDD, by their ids
record BlockLocality(StoredPlaces executors) {
  private static final String EXECUTOR = "executor:";

  /// Computed now, once for all the stage's partitions.
  Locality of(RDD<?> last) {
    List<List<String>> preferred = last.places(this::memoryOf);
    return preferred.stream().allMatch(List::isEmpty) ? Locality.ANYWHERE : preferred::get;
  }

  private List<String> memoryOf(int rddId, int partition) {
    return executors.of(rddId, partition).stream().map(EXECUTOR::concat).toList();
  }
}
