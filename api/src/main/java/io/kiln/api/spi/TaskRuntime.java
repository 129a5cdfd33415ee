package io.kiln.api.spi;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.accumulator.Accumulator;
import java.util.Optional;

/// The engine as a running task sees it. Used by the task's thread.
public interface TaskRuntime {

  /// A partition of a persisted RDD: the stored block, or computed and stored according to the
  /// RDD's level.
  <T> Records<T> persisted(RDD<T> rdd, Partition split) throws Exception;

  /// The records that a shuffle holds for reduce partitions `first` to `end - 1`, combined and
  /// sorted as the dependency says.
  <K, C> Records<Pair<K, C>> readShuffle(ShuffleDependency<K, ?, C> shuffle, int first, int end)
      throws Exception;

  /// An empty map whose memory belongs to this task.
  <K, V, C> CombiningMap<K, V, C> combiningMap(Aggregator<V, C> aggregator);

  /// The local directory of files and archives given to the context, where [io.kiln.api.KilnFiles]
  /// looks.
  java.nio.file.Path filesDirectory();

  /// A task's copy of an accumulator has arrived with the closure, or was made when the task found
  /// one that others use too; its value goes back with the result.
  void accumulatorArrived(Accumulator<?, ?> accumulator);

  /// One of the task's copies that have arrived, by the accumulator's identity.
  Optional<Accumulator<?, ?>> accumulator(long accumulatorId);
}
