package io.kiln.storage.shuffle;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.ShuffleDependency;
import io.kiln.shuffle.MapOutput;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.serializer.ObjectWriter;
import java.util.Optional;

/// Combines before it writes. Used by the task's thread.
final class CombiningShuffleWriter<K, V, C> implements ShuffleWriter<K, V> {
  private final TaskResources resources;
  private final ShuffleStore store;
  private final ShuffleDependency<K, V, C> shuffle;
  private final int mapPartition;
  private final SpillingCombiner<K, V, C> combiner;
  private ObjectWriter records;
  private long written;

  CombiningShuffleWriter(
      TaskResources resources,
      ShuffleStore store,
      ShuffleDependency<K, V, C> shuffle,
      Aggregator<V, C> aggregator,
      int mapPartition) {
    this.resources = resources;
    this.store = store;
    this.shuffle = shuffle;
    this.mapPartition = mapPartition;
    this.combiner =
        new SpillingCombiner<>(aggregator, Optional.of(shuffle.partitioner()), resources);
  }

  @Override
  public boolean accept(Pair<K, V> pair) throws Exception {
    combiner.insert(pair.key(), pair.value());
    return true;
  }

  @Override
  public MapOutput commit() throws Exception {
    MapOutputFile file =
        new MapOutputFile(
            resources,
            store,
            shuffle.shuffleId(),
            mapPartition,
            shuffle.partitioner().numPartitions());
    try {
      records = new ObjectWriter(file.segments().bytes(), resources.serializer());
      combiner.writePartitions(
          (key, value) -> {
            resources.memory().throwIfCancelled();
            records.writePair(key, value);
            written++;
          },
          () -> {
            file.endPartition();
            records = new ObjectWriter(file.segments().bytes(), resources.serializer());
          });
      file.addRecords(written);
      return file.commit();
    } finally {
      file.abort();
      combiner.close();
    }
  }

  @Override
  public void abort() {
    combiner.close();
  }
}
