package io.kiln.executor;

import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.storage.shuffle.ShuffleWriter;
import java.io.Serializable;

/// What each task of a stage does with its partition. Immutable, if what the user gave is.
public sealed interface StageWork extends Serializable {

  /// The last RDD of the stage.
  RDD<?> rdd();

  /// @return the task's result; `null` for a map task
  Object run(RunningTask task, Partition split) throws Exception;

  /// Writes the partition's records into a shuffle.
  record WriteShuffle<K, V>(RDD<Pair<K, V>> rdd, ShuffleDependency<K, V, ?> shuffle)
      implements StageWork {

    @Override
    public Object run(RunningTask task, Partition split) throws Exception {
      ShuffleWriter<K, V> writer = task.storage().shuffleWriter(shuffle, split.index());
      boolean committed = false;
      try {
        rdd.forEachRecord(split, task, writer);
        writer.commit();
        committed = true;
        return null;
      } finally {
        if (!committed) {
          writer.abort();
        }
      }
    }
  }

  /// Applies an action's function to the partition.
  record ComputeResult<T>(RDD<T> rdd, PartitionFunction<T, ?> function) implements StageWork {

    @Override
    public Object run(RunningTask task, Partition split) throws Exception {
      return function.apply(task, rdd.records(split, task));
    }
  }
}
