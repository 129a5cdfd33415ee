package io.kiln.driver;

import io.kiln.api.IndexedPartition;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.Shareable;
import io.kiln.executor.ApplicationClasses;
import io.kiln.executor.StageBinary;
import io.kiln.executor.StageWork;
import io.kiln.executor.StageWork.ComputeResult;
import io.kiln.executor.StageWork.WriteShuffle;

/// Makes what executors need to run a stage: shared by its tasks if all that the user gave is known
/// to be immutable, else to be copied for each. Thread-safe.
final class StageBinaries {
  private final ApplicationClasses classes;

  StageBinaries(ApplicationClasses classes) {
    this.classes = classes;
  }

  /// @throws io.kiln.api.KilnException if it can't be serialised
  <T, R> StageBinary ofResult(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, String operation) {
    StageBinary binary = of(new ComputeResult<>(rdd, function), rdd, operation);
    if (binary instanceof StageBinary.Copied copied) {
      copied.serializeNow(); // before the user's thread changes what the function holds
    }
    return binary;
  }

  <K, V, C> StageBinary ofShuffle(ShuffleDependency<K, V, C> shuffle) {
    RDD<Pair<K, V>> last = shuffle.parent();
    return of(new WriteShuffle<>(last, shuffle), last, last.callSite().operation());
  }

  private StageBinary of(StageWork work, RDD<?> last, String operation) {
    return ClosureInspector.inspect(work, operation) instanceof Shareable
        ? new StageBinary.Shared(work, last.partitions(), StageBinaries::isImmutable, classes)
        : new StageBinary.Copied(work, last.partitions(), StageBinaries::isImmutable, classes);
  }

  private static boolean isImmutable(Partition partition) {
    return partition instanceof IndexedPartition
        || ClosureInspector.inspect(partition, "partition") instanceof Shareable;
  }
}
