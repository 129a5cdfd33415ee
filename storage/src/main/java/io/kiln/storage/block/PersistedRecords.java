package io.kiln.storage.block;

import io.kiln.api.KilnException;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.StorageLevel;
import io.kiln.api.TaskContext;
import io.kiln.protocol.BlockId;
import io.kiln.storage.memory.TaskMemory;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Partitions of persisted RDDs: stored here or by another process, or computed by one task while
/// others that want the block wait. Thread-safe.
public final class PersistedRecords {
  private static final long CHECK_MILLIS = 100;

  private final BlockStore store;
  private final OtherBlocks others;
  private final Map<BlockId, Computation> computations = new ConcurrentHashMap<>();

  /// Somebody computes the block.
  private record Computation(TaskMemory by, CountDownLatch done) {}

  public PersistedRecords(BlockStore store, OtherBlocks others) {
    this.store = store;
    this.others = others;
  }

  /// @param memory of the asking task
  public <T> Records<T> get(RDD<T> rdd, Partition split, TaskContext task, TaskMemory memory)
      throws Exception {
    BlockId id = new BlockId.RddBlock(rdd.id(), split.index());
    while (true) {
      Optional<Iterator<Object>> stored = store.records(id);
      if (stored.isPresent()) {
        return once(stored.get(), task);
      }
      Computation mine = new Computation(memory, new CountDownLatch(1));
      Computation other = computations.putIfAbsent(id, mine);
      if (other == null) {
        return computeAlone(id, rdd, split, task, mine);
      }
      if (other.by == memory) {
        // the partition is computed from itself: let the user's code meet its own recursion
        return rdd.computedRecords(split, task);
      }
      await(other, memory);
    }
  }

  private <T> Records<T> computeAlone(
      BlockId id, RDD<T> rdd, Partition split, TaskContext task, Computation mine)
      throws Exception {
    try {
      Optional<Iterator<Object>> stored = store.records(id);
      if (stored.isEmpty()) {
        stored = others.records(id, mine.by);
      }
      return once(stored.isPresent() ? stored.get() : build(id, rdd, split, task, mine.by), task);
    } finally {
      computations.remove(id, mine);
      mine.done.countDown();
    }
  }

  private <T> Iterator<Object> build(
      BlockId id, RDD<T> rdd, Partition split, TaskContext task, TaskMemory memory)
      throws Exception {
    StorageLevel level = rdd.storageLevel();
    Iterator<Object> records =
        new BlockBuilder(store, id, level).build(rdd.computedRecords(split, task));
    dropIfKilled(id, memory);
    if (level.replication() > 1 && store.holds(id)) {
      others.copy(id, level, memory);
    }
    return records;
  }

  /// What a killed task stores may come from records that have been made again, otherwise, since.
  private void dropIfKilled(BlockId id, TaskMemory memory) {
    try {
      memory.throwIfCancelled();
    } catch (RuntimeException e) {
      store.removeIf(id::equals);
      throw e;
    }
  }

  private static void await(Computation other, TaskMemory memory) {
    try {
      do {
        memory.throwIfCancelled();
      } while (!other.done.await(CHECK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KilnException(
          "TASK_INTERRUPTED",
          KilnException.Kind.RESOURCES,
          "a task was interrupted while another computed the block that it needs",
          e);
    }
  }

  @SuppressWarnings("unchecked") // a block of an RDD holds its records
  private static <T> Records<T> once(Iterator<Object> records, TaskContext task) {
    switch (records) { // not every reader reads to the end
      case RecordIterator open -> task.onCompletion(open::close);
      case HeldRecords held -> task.onCompletion(held::close);
      default -> {}
    }
    return () -> (Iterator<T>) records;
  }
}
