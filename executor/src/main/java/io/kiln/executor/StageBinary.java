package io.kiln.executor;

import io.kiln.api.Partition;
import io.kiln.base.closure.ClosureSerializer;
import io.kiln.base.machine.Payload;
import java.util.List;
import java.util.function.Predicate;

/// All that an executor needs to run the tasks of a stage. Thread-safe.
public abstract sealed class StageBinary implements Payload {
  private final List<Partition> partitions;
  private final Predicate<Partition> immutable;
  private final ApplicationClasses classes;

  private StageBinary(
      List<Partition> partitions, Predicate<Partition> immutable, ApplicationClasses classes) {
    this.partitions = partitions;
    this.immutable = immutable;
    this.classes = classes;
  }

  /// The work for one task: the same for all, or a copy of its own.
  abstract StageWork workForTask();

  /// The partition for one task: shared if it is immutable, else a copy.
  final Partition partitionForTask(int partition) {
    Partition split = partitions.get(partition);
    return immutable.test(split)
        ? split
        : (Partition)
            ClosureSerializer.deserialize(ClosureSerializer.serialize(split), classes.restoring());
  }

  final ApplicationClasses classes() {
    return classes;
  }

  /// What the user gave is known to be immutable: all tasks use the same objects.
  public static final class Shared extends StageBinary {
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
  public static final class Copied extends StageBinary {
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
      return (StageWork) ClosureSerializer.deserialize(serializeNow(), classes().restoring());
    }
  }
}
