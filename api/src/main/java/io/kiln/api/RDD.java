package io.kiln.api;

import io.kiln.api.function.Function;
import io.kiln.api.function.Predicate;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// A collection of records in partitions, described by what it is computed from.
///
/// Subclass it for sources and operators of your own: give the parents to the constructor and
/// implement [#computePartitions] and [#compute].
public abstract class RDD<T> implements Serializable {
  private final transient KilnContext context;
  private final int id;
  private final List<Dependency<?>> dependencies;
  private final CallSite callSite;
  private transient List<Partition> partitions;
  private volatile StorageLevel storageLevel = StorageLevel.NONE;
  private String name;

  protected RDD(KilnContext context, List<? extends Dependency<?>> dependencies) {
    this.context = context;
    this.id = context.engine().nextRddId();
    this.dependencies = List.copyOf(dependencies);
    this.callSite = CallSite.here();
  }

  // ---- what a subclass says -----------------------------------------------------------------

  /// The partitions, `index()` equal to the position. Called once, in the driver, when first
  /// needed.
  protected abstract List<? extends Partition> computePartitions();

  /// The records of a partition, in a task. Lazy: nothing is done before the iterator is asked.
  public abstract Iterator<T> compute(Partition split, TaskContext task) throws Exception;

  /// The records of a partition pushed into a sink, until it wants no more. Operators that can push
  /// without an iterator override it; both forms give the same records in the same order.
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    Iterator<T> records = compute(split, task);
    while (records.hasNext()) {
      if (!sink.accept(records.next())) {
        return;
      }
    }
  }

  /// Hosts where the partition is cheap to compute; may be empty. Called in the driver.
  protected List<String> computePreferredLocations(Partition split) {
    return List.of();
  }

  /// How records are placed, if they are pairs placed by key.
  public Optional<Partitioner> partitioner() {
    return Optional.empty();
  }

  // ---- what operators and the engine use ----------------------------------------------------

  /// The records of a partition, from where it is persisted or else computed. For operators, in
  /// tasks.
  public final Iterator<T> iterator(Partition split, TaskContext task) throws Exception {
    return isStored() ? task.runtime().persisted(this, split).iterator() : compute(split, task);
  }

  /// Same as [#iterator], pushed.
  public final void forEachRecord(Partition split, TaskContext task, Sink<? super T> sink)
      throws Exception {
    if (isStored()) {
      task.runtime().persisted(this, split).forEach(sink);
    } else {
      push(split, task, sink);
    }
  }

  /// A partition to be consumed once in either form.
  public final Records<T> records(Partition split, TaskContext task) {
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        return RDD.this.iterator(split, task);
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        forEachRecord(split, task, sink);
      }
    };
  }

  /// Computes a partition without looking whether it is stored. For the engine, which stores it.
  public final Records<T> computedRecords(Partition split, TaskContext task) {
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        return compute(split, task);
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        push(split, task, sink);
      }
    };
  }

  private boolean isStored() {
    return storageLevel.isPersistent();
  }

  /// Unique in the context.
  public final int id() {
    return id;
  }

  public final List<Dependency<?>> dependencies() {
    return dependencies;
  }

  public final List<Partition> partitions() {
    synchronized (this) {
      if (partitions == null) {
        partitions = Collections.unmodifiableList(new ArrayList<>(computePartitions()));
      }
      return partitions;
    }
  }

  public final int numPartitions() {
    return partitions().size();
  }

  public final List<String> preferredLocations(Partition split) {
    return computePreferredLocations(split);
  }

  public final CallSite callSite() {
    return callSite;
  }

  public final StorageLevel storageLevel() {
    return storageLevel;
  }

  /// @throws IllegalStateException in a task: an RDD can't be used inside another's function
  public final KilnContext context() {
    if (context == null) {
      throw new IllegalStateException(
          "an RDD was used inside a task; compute what the function needs first, and broadcast it");
    }
    return context;
  }

  public final Optional<String> name() {
    return Optional.ofNullable(name);
  }

  public final RDD<T> setName(String newName) {
    name = newName;
    return this;
  }

  // ---- operations: the pattern; the rest follow ----------------------------------------------

  /// Each record changed by `function`.
  public final <R> RDD<R> map(Function<? super T, ? extends R> function) {
    context().engine().checkSerializable(function, "map");
    return new MapRDD<>(this, function);
  }

  /// The records for which `predicate` holds.
  public RDD<T> filter(Predicate<? super T> predicate) {
    throw new UnsupportedOperationException("filter");
  }

  /// How many records there are. Runs a job.
  public final long count() {
    return context()
        .runJob(
            this,
            (_, records) -> {
              long[] count = {0};
              records.forEach(
                  _ -> {
                    count[0]++;
                    return true;
                  });
              return count[0];
            })
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
