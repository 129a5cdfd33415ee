package io.kiln.api;

import io.kiln.api.Lineage.CheckpointMark;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.FileFormats;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// Which RDDs are to be checkpointed, and the doing of it after the first job that computes them.
///
/// Thread-safe; one checkpoint is written at a time.
final class Checkpoints {
  private final KilnContext context;
  private final AtomicInteger wanted = new AtomicInteger();
  private final AtomicInteger epoch = new AtomicInteger();
  private final ReentrantLock writing = new ReentrantLock();

  Checkpoints(KilnContext context) {
    this.context = context;
  }

  /// Grows with each checkpoint that is written.
  int epoch() {
    return epoch.get();
  }

  void markReliable(RDD<?> rdd) {
    if (context.engine().checkpointDirectory().isEmpty()) {
      throw new KilnException(
          "CHECKPOINT_DIRECTORY_MISSING",
          KilnException.Kind.USER,
          "checkpoint() has nowhere to write to; call setCheckpointDir on the context first");
    }
    synchronized (rdd) {
      if (rdd.checkpointMark() == CheckpointMark.NONE) {
        rdd.markForCheckpoint(CheckpointMark.RELIABLE_WANTED);
        wanted.incrementAndGet();
      }
    }
  }

  /// Takes the place of a reliable checkpoint that is not written yet.
  void markLocal(RDD<?> rdd) {
    synchronized (rdd) {
      switch (rdd.checkpointMark()) {
        case NONE -> wanted.incrementAndGet();
        case RELIABLE_WANTED -> {}
        case LOCAL_WANTED, RELIABLE_DONE, LOCAL_DONE -> {
          return;
        }
      }
      rdd.markForCheckpoint(CheckpointMark.LOCAL_WANTED);
    }
    // Only a level with a disk keeps what memory has no room for.
    StorageLevel level = rdd.storageLevel();
    StorageLevel safe =
        level.isPersistent()
            ? new StorageLevel(
                true,
                level.useMemory(),
                level.useOffHeap(),
                level.deserialized(),
                level.replication())
            : StorageLevel.MEMORY_AND_DISK;
    context.storageLevelChanged(rdd, safe);
  }

  /// Checkpoints what is marked in the lineage of an RDD that a job just computed.
  void afterJob(RDD<?> computed) {
    if (wanted.get() == 0 || writing.isHeldByCurrentThread()) {
      return;
    }
    writing.lock();
    try {
      Set<Integer> seen = new HashSet<>();
      Deque<RDD<?>> pending = new ArrayDeque<>();
      pending.push(computed.node());
      while (!pending.isEmpty()) {
        RDD<?> rdd = pending.pop();
        if (seen.add(rdd.id()) && !isWritten(rdd)) {
          rdd.dependencies().forEach(dependency -> pending.push(dependency.parent()));
        }
      }
    } finally {
      writing.unlock();
    }
  }

  /// Whether `rdd` was marked and so is checkpointed now; what it was made of is of no interest
  /// then.
  private <T> boolean isWritten(RDD<T> rdd) {
    switch (rdd.checkpointMark()) {
      case NONE, RELIABLE_DONE, LOCAL_DONE -> {
        return false;
      }
      case RELIABLE_WANTED -> {
        String directory =
            context.engine().checkpointDirectory().orElseThrow() + "/rdd-" + rdd.id();
        RDD<T> written = EngineLocator.load(FileFormats.class).checkpoint(rdd, directory);
        rdd.cutLineage(written, CheckpointMark.RELIABLE_DONE, directory);
      }
      case LOCAL_WANTED -> {
        // The job may have computed some of the partitions only.
        Actions.count(rdd);
        rdd.cutLineage(
            new LocalCheckpointRDD<>(context, rdd.numPartitions()),
            CheckpointMark.LOCAL_DONE,
            null);
      }
    }
    epoch.incrementAndGet();
    wanted.decrementAndGet();
    return true;
  }

  /// Stands for what a local checkpoint was computed from. It is asked only if the stored records
  /// are gone.
  private static final class LocalCheckpointRDD<T> extends RDD<T> {
    private final int numPartitions;

    LocalCheckpointRDD(KilnContext context, int numPartitions) {
      super(context, List.of());
      this.numPartitions = numPartitions;
    }

    @Override
    protected List<Partition> computePartitions() {
      return ShuffledRDD.indexed(numPartitions);
    }

    @Override
    public Iterator<T> compute(Partition split, TaskContext task) {
      throw new KilnException(
          "LOCAL_CHECKPOINT_LOST",
          KilnException.Kind.RESOURCES,
          ("partition %d of a local checkpoint is gone with its executor, or was unpersisted; use"
                  + " checkpoint() where records must survive that")
              .formatted(split.index()));
    }
  }
}
