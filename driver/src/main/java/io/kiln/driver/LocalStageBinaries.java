package io.kiln.driver;

import io.kiln.api.IndexedPartition;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.Shareable;
import io.kiln.executor.StageBinary;
import io.kiln.executor.StageWork;
import io.kiln.executor.StageWork.ComputeResult;
import io.kiln.executor.StageWork.WriteShuffle;

/// For the executor in this process: shared by its tasks if all that the user gave is known
/// to be immutable, else to be copied for each. Thread-safe.
final class LocalStageBinaries implements StageBinaries {
  private final ApplicationClasses classes;

  LocalStageBinaries(ApplicationClasses classes) {
    this.classes = classes;
  }

  @Override
  public <T, R> StageBinary ofResult(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions, String operation) {
    StageBinary binary = of(new ComputeResult<>(rdd, function), rdd, operation);
    if (binary instanceof StageBinary.Copied copied) {
      copied.serializeNow(); // before the user's thread changes what the function holds
    }
    return binary;
  }

  @Override
  public <K, V, C> StageBinary ofShuffle(ShuffleDependency<K, V, C> shuffle) {
    RDD<Pair<K, V>> last = shuffle.parent();
    return of(new WriteShuffle<>(last, shuffle), last, last.callSite().operation());
  }

  private StageBinary of(StageWork work, RDD<?> last, String operation) {
    return ClosureInspector.inspect(work, operation) instanceof Shareable
        ? new StageBinary.Shared(work, last.partitions(), LocalStageBinaries::isImmutable, classes)
        : new StageBinary.Copied(work, last.partitions(), LocalStageBinaries::isImmutable, classes);
  }

  private static boolean isImmutable(Partition partition) {
    return partition instanceof IndexedPartition
        || ClosureInspector.inspect(partition, "partition") instanceof Shareable;
  }
}
