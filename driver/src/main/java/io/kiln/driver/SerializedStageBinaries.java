package io.kiln.driver;

import io.kiln.api.IndexedPartition;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.closure.ProgramVariables;
import io.kiln.base.machine.Payload;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.Shareable;
import io.kiln.driver.cluster.SerializedStage;
import io.kiln.executor.StageWork;
import io.kiln.executor.StageWork.ComputeResult;
import io.kiln.executor.StageWork.WriteShuffle;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// For executors in other processes: everything is serialised in the thread that asks for the job,
/// so that what the user's code does while it is serialised is done there.
final class SerializedStageBinaries implements StageBinaries {
  private final Function<Object, byte[]> serializer;

  /// @param program the loader of the application
  SerializedStageBinaries(ClassLoader program) {
    this.serializer =
        program instanceof ProgramVariables variables
            ? work -> ClosureSerializer.serialize(work, variables)
            : ClosureSerializer::serialize;
  }

  @Override
  public <T, R> Payload ofResult(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions, String operation) {
    return of(new ComputeResult<>(rdd, function), rdd, partitions, operation);
  }

  @Override
  public <K, V, C> Payload ofShuffle(ShuffleDependency<K, V, C> shuffle) {
    RDD<Pair<K, V>> last = shuffle.parent();
    return of(
        new WriteShuffle<>(last, shuffle),
        last,
        IntStream.range(0, last.numPartitions()).toArray(),
        last.callSite().operation());
  }

  private SerializedStage of(StageWork work, RDD<?> last, int[] partitions, String operation) {
    boolean shared = ClosureInspector.inspect(work, operation) instanceof Shareable;
    return new SerializedStage(
        serializer.apply(work), shared, splits(last.partitions(), partitions));
  }

  private static List<byte[]> splits(List<Partition> all, int[] wanted) {
    byte[][] splits = null;
    for (int partition : wanted) {
      Partition split = all.get(partition);
      if (!(split instanceof IndexedPartition)) {
        if (splits == null) {
          splits = new byte[all.size()][];
          Arrays.fill(splits, SerializedStage.NUMBER_ONLY);
        }
        splits[partition] = ClosureSerializer.serialize(split);
      }
    }
    return splits == null ? List.of() : Arrays.asList(splits);
  }
}
