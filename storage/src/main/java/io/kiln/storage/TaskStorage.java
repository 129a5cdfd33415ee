package io.kiln.storage;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Records;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.TaskContext;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.api.spi.CombiningMap;
import io.kiln.storage.block.PersistedRecords;
import io.kiln.storage.memory.TaskMemory;
import io.kiln.storage.shuffle.ShuffleFetchFailure;
import io.kiln.storage.shuffle.ShuffleWriter;
import io.kiln.storage.shuffle.TaskResources;
import io.kiln.storage.shuffle.TaskShuffles;
import java.io.IOException;
import java.util.Optional;

/// Storage as one running task uses it: the memory that it takes, the spills that it writes. Used
/// by the task's thread, except [#cancel] and [#metrics].
///
/// [#close] gives everything back, whatever is still open.
public final class TaskStorage implements AutoCloseable {
  private final TaskResources resources;
  private final TaskShuffles shuffles;
  private final PersistedRecords persisted;

  TaskStorage(TaskResources resources, TaskShuffles shuffles, PersistedRecords persisted) {
    this.resources = resources;
    this.shuffles = shuffles;
    this.persisted = persisted;
  }

  /// A partition of a persisted RDD: the stored block, or computed and stored as its level says.
  /// While one task computes a block, others that want it wait.
  public <T> Records<T> persisted(RDD<T> rdd, Partition split, TaskContext task) throws Exception {
    return persisted.get(rdd, split, task, resources.memory());
  }

  /// The records that the shuffle holds for reduce partitions `first` to `end - 1`, combined and
  /// sorted as the dependency says. Nothing is read before the records are asked for.
  ///
  /// The records throw a [ShuffleFetchFailure] if a map output can't be had.
  public <K, C> Records<Pair<K, C>> readShuffle(
      ShuffleDependency<K, ?, C> shuffle, int first, int end) {
    return shuffles.read(shuffle, first, end);
  }

  public <K, V, C> CombiningMap<K, V, C> combiningMap(Aggregator<V, C> aggregator) {
    return shuffles.combiningMap(aggregator);
  }

  /// @param mapPartition which partition of the parent this task computes
  public <K, V> ShuffleWriter<K, V> shuffleWriter(
      ShuffleDependency<K, V, ?> shuffle, int mapPartition) {
    return shuffles.writer(shuffle, mapPartition);
  }

  /// What the task has used of it so far; no times. Thread-safe.
  public TaskMetrics metrics() {
    return resources.metrics();
  }

  /// The first fetch failure that a read of this task met, even if the user's code caught or
  /// wrapped it.
  public Optional<ShuffleFetchFailure> fetchFailure() {
    return shuffles.failure();
  }

  /// Runs, on the task's thread, what waits for other processes; [#cancel] ends that.
  ///
  /// @throws io.kiln.api.KilnException with code `TASK_KILLED` after [#cancel]
  public <T> T during(TaskMemory.Waiting<T> waiting) throws IOException, InterruptedException {
    return resources.memory().during(waiting);
  }

  /// The task was killed: ends its waiting for memory or for a block, and makes its further use
  /// of storage fail. Thread-safe, idempotent.
  ///
  /// @param reason one line
  public void cancel(String reason) {
    resources.memory().cancel(reason);
  }

  /// Removes the task's spills and uncommitted outputs and gives its memory back. Idempotent.
  @Override
  public void close() {
    resources.close();
  }
}
