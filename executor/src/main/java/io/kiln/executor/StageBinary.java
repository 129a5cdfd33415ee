package io.kiln.executor;

import io.kiln.api.IndexedPartition;
import io.kiln.api.Partition;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// All that an executor needs to run the tasks of a stage. Thread-safe.
public abstract sealed class StageBinary implements Payload {
  private final ApplicationClasses classes;

  private StageBinary(ApplicationClasses classes) {
    this.classes = classes;
  }

  /// The work for one task: the same for all, or a copy of its own.
  abstract StageWork workForTask() throws Exception;

  /// The partition for one task: shared if it is immutable, else a copy.
  abstract Partition partitionForTask(int partition);

  final ApplicationClasses classes() {
    return classes;
  }

  final Object restored(byte[] serialized) {
    return ClosureSerializer.deserialize(serialized, classes);
  }

  /// Made in this process.
  private abstract static sealed class Made extends StageBinary {
    private final List<Partition> partitions;
    private final Predicate<Partition> immutable;

    Made(List<Partition> partitions, Predicate<Partition> immutable, ApplicationClasses classes) {
      super(classes);
      this.partitions = partitions;
      this.immutable = immutable;
    }

    @Override
    final Partition partitionForTask(int partition) {
      Partition split = partitions.get(partition);
      return immutable.test(split)
          ? split
          : (Partition) restored(ClosureSerializer.serialize(split));
    }
  }

  /// What the user gave is known to be immutable: all tasks use the same objects.
  public static final class Shared extends Made {
    private final StageWork work;

    /// @param immutable says of a partition whether all that it holds is known to be immutable
    public Shared(
        StageWork work,
        List<Partition> partitions,
        Predicate<Partition> immutable,
        ApplicationClasses classes) {
      super(partitions, immutable, classes);
      this.work = work;
    }

    @Override
    StageWork workForTask() {
      return work;
    }
  }

  /// What the user gave may change: each task gets a fresh copy. Serialised once.
  public static final class Copied extends Made {
    private StageWork work;
    private byte[] serialized;

    /// @param immutable says of a partition whether all that it holds is known to be immutable
    public Copied(
        StageWork work,
        List<Partition> partitions,
        Predicate<Partition> immutable,
        ApplicationClasses classes) {
      super(partitions, immutable, classes);
      this.work = work;
    }

    /// Otherwise done when the first task needs it.
    ///
    /// @return nobody changes it
    /// @throws io.kiln.api.KilnException if it can't be serialised
    public synchronized byte[] serializeNow() {
      if (serialized == null) {
        serialized = ClosureSerializer.serialize(work);
        work = null;
      }
      return serialized;
    }

    @Override
    StageWork workForTask() {
      return (StageWork) restored(serializeNow());
    }
  }

  /// Come from the driver.
  public static final class Received extends StageBinary {
    private final Callable<byte[]> fetched;
    private final boolean shared;
    private final Callable<?> beforehand;
    private final Map<Integer, byte[]> splits = new ConcurrentHashMap<>();
    private byte[] serialized;
    private StageWork work;

    /// @param fetched the serialised [StageWork]; asked once, by the first task
    /// @param shared whether all tasks may use the same objects
    /// @param beforehand what has to be done before the work can be restored; answers at once when
    ///     that is so
    public Received(
        Callable<byte[]> fetched,
        boolean shared,
        Callable<?> beforehand,
        ApplicationClasses classes) {
      super(classes);
      this.fetched = fetched;
      this.shared = shared;
      this.beforehand = beforehand;
    }

    /// @param serialized a partition; empty for one that is only a number
    public void addPartition(int partition, byte[] serialized) {
      if (serialized.length > 0) {
        splits.put(partition, serialized);
      }
    }

    @Override
    StageWork workForTask() throws Exception {
      beforehand.call();
      byte[] bytes;
      synchronized (this) {
        if (work != null) {
          return work;
        }
        if (serialized == null) {
          serialized = fetched.call();
        }
        if (shared) {
          work = (StageWork) restored(serialized);
          return work;
        }
        bytes = serialized;
      }
      return (StageWork) restored(bytes);
    }

    @Override
    Partition partitionForTask(int partition) {
      byte[] split = splits.get(partition);
      return split == null ? new IndexedPartition(partition) : (Partition) restored(split);
    }
  }
}
