package io.kiln.driver;

import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.machine.Payload;

/// Makes what executors need to run a stage. Thread-safe.
interface StageBinaries {

  /// @param partitions that tasks will be about
  /// @throws io.kiln.api.KilnException if it can't be serialised
  <T, R> Payload ofResult(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions, String operation);

  /// @throws io.kiln.api.KilnException if it can't be serialised
  <K, V, C> Payload ofShuffle(ShuffleDependency<K, V, C> shuffle);
}
