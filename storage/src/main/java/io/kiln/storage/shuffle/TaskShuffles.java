package io.kiln.storage.shuffle;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.CombiningMap;
import io.kiln.shuffle.ShuffleStore;
import java.util.Optional;

/// The shuffles that one task reads and writes. Used by the task's thread.
public final class TaskShuffles {
  private final TaskResources resources;
  private final ShuffleStore store;
  private final MapOutputSource source;
  private volatile Optional<ShuffleFetchFailure> failure = Optional.empty();

  /// @param store where outputs of this task go
  /// @param source of what it reads
  public TaskShuffles(TaskResources resources, ShuffleStore store, MapOutputSource source) {
    this.resources = resources;
    this.store = store;
    this.source = source;
  }

  public <K, C> Records<Pair<K, C>> read(ShuffleDependency<K, ?, C> shuffle, int first, int end) {
    return new ShuffleReader<>(resources, source, shuffle, first, end, this::failed);
  }

  private void failed(ShuffleFetchFailure newFailure) {
    if (failure.isEmpty()) {
      failure = Optional.of(newFailure);
    }
  }

  /// The first that a read met.
  public Optional<ShuffleFetchFailure> failure() {
    return failure;
  }

  public <K, V, C> CombiningMap<K, V, C> combiningMap(Aggregator<V, C> aggregator) {
    return new SpillingCombiner<>(aggregator, Optional.empty(), resources);
  }

  public <K, V> ShuffleWriter<K, V> writer(ShuffleDependency<K, V, ?> shuffle, int mapPartition) {
    return shuffle.mapSideCombine() && shuffle.aggregator().isPresent()
        ? combining(shuffle, mapPartition)
        : new PartitioningShuffleWriter<>(
            resources, store, shuffle.shuffleId(), mapPartition, shuffle.partitioner());
  }

  private <K, V, C> ShuffleWriter<K, V> combining(
      ShuffleDependency<K, V, C> shuffle, int mapPartition) {
    return new CombiningShuffleWriter<>(
        resources, store, shuffle, shuffle.aggregator().orElseThrow(), mapPartition);
  }
}
