package io.kiln.api;

import io.kiln.api.spi.StoredPlaces;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// What an RDD is apart from its operations: its identity, what it is computed from, its partitions
/// and where these are kept.
///
/// Made in the driver; thread-safe there. The engine sends a copy to tasks, which read records from
/// it and can do nothing else with it.
public abstract sealed class Lineage<T> implements Serializable permits RDD {
  private final transient KilnContext context;
  private final RDD<T> viewed;
  private final int id;
  private final CallSite callSite;
  private volatile Origin<T> origin;
  private volatile StorageLevel storageLevel = StorageLevel.NONE;
  private volatile String name;
  private transient volatile List<Partition> partitions;
  private transient volatile CheckpointMark checkpointMark = CheckpointMark.NONE;
  private transient volatile String checkpointFile;
  private transient volatile KnownDeterminism knownDeterminism;

  /// @param epoch of the context's checkpoints: each that is written may change the value
  private record KnownDeterminism(int epoch, Determinism value) {}

  /// Where the records come from. One object, so that both parts change together.
  ///
  /// @param checkpoint read in place of computing; `null` if there is none
  private record Origin<T>(List<Dependency<?>> dependencies, RDD<T> checkpoint)
      implements Serializable {}

  /// Whether the records are to be, or have been, written so that the lineage can be cut.
  enum CheckpointMark {
    NONE,
    RELIABLE_WANTED,
    LOCAL_WANTED,
    RELIABLE_DONE,
    LOCAL_DONE
  }

  Lineage(KilnContext context, List<? extends Dependency<?>> dependencies) {
    this.context = context;
    this.viewed = null;
    this.id = context.engine().nextRddId();
    this.origin = new Origin<>(List.copyOf(dependencies), null);
    this.callSite = CallSite.here();
  }

  /// A view of `source` under another type: the same RDD to everybody but the compiler.
  Lineage(RDD<T> source) {
    this.context = source.context();
    this.viewed = source.node();
    this.id = source.id();
    this.origin = null;
    this.callSite = source.callSite();
  }

  // ---- what a subclass says -----------------------------------------------------------------

  /// The partitions, `index()` equal to the position. Called once, in the driver, when first
  /// needed.
  protected abstract List<? extends Partition> computePartitions();

  /// The records of a partition, in a task. It should do little before the iterator is asked.
  ///
  /// An operator reads its parents by [#iterator].
  public abstract Iterator<T> compute(Partition split, TaskContext task) throws Exception;

  /// The records of a partition pushed into a sink, until it wants no more. Operators that can push
  /// without an iterator override it; both forms give the same records in the same order.
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    Iterator<T> records = compute(split, task);
    while (records.hasNext()) {
      task.throwIfInterrupted();
      if (!sink.accept(records.next())) {
        return;
      }
    }
  }

  /// Hosts where the partition is cheap to compute, apart from where its parents' are; may be
  /// empty. Called in the driver.
  protected List<String> computePreferredLocations(Partition split) {
    return List.of();
  }

  /// How alike the records of a partition are each time that it is computed. Called in the driver.
  ///
  /// By default as alike as what it reads. An operator whose records depend on the order of those
  /// that it reads gives [Determinism#whereOrderMatters] of that; one that draws lots without a
  /// fixed seed, or a source that gives other records each time, [Determinism#INDETERMINATE]. The
  /// engine then computes again, after a loss, all that was computed from the lost records, instead
  /// of the lost records alone.
  ///
  /// @param inputs what each dependency gives, in the order of [#dependencies]
  protected Determinism outputDeterminism(List<Determinism> inputs) {
    Determinism output = Determinism.DETERMINATE;
    for (Determinism input : inputs) {
      output = output.and(input);
    }
    return output;
  }

  /// How records are placed, if they are pairs placed by key.
  public Optional<Partitioner> partitioner() {
    return Optional.empty();
  }

  /// The RDD of a dependency, by position. An operator that asks here, rather than keeping the
  /// parent in a field, lets go of its parents when it is checkpointed.
  ///
  /// @param <U> the parent's records; not checked
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the operator knows its parents
  protected final <U> RDD<U> parent(int dependency) {
    return (RDD<U>) dependencies().get(dependency).parent();
  }

  // ---- what operators and the engine use ----------------------------------------------------

  /// The records of a partition, from where it is persisted or else computed. For operators, in
  /// tasks.
  public final Iterator<T> iterator(Partition split, TaskContext task) throws Exception {
    RDD<T> node = node();
    if (node.storageLevel().isPersistent()) {
      return InterruptibleSink.iterator(task, task.runtime().persisted(node, split).iterator());
    }
    return node.computeOrRestore(split, task);
  }

  /// Same as [#iterator], pushed.
  public final void forEachRecord(Partition split, TaskContext task, Sink<? super T> sink)
      throws Exception {
    RDD<T> node = node();
    if (node.storageLevel().isPersistent()) {
      task.runtime().persisted(node, split).forEach(new InterruptibleSink<>(task, sink));
    } else {
      node.pushOrRestore(split, task, sink);
    }
  }

  /// A partition to be consumed once in either form.
  public final Records<T> records(Partition split, TaskContext task) {
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        return Lineage.this.iterator(split, task);
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        forEachRecord(split, task, sink);
      }
    };
  }

  /// Computes a partition without looking whether it is stored. For the engine, which stores it.
  public final Records<T> computedRecords(Partition split, TaskContext task) {
    RDD<T> node = node();
    return new Records<>() {
      @Override
      public Iterator<T> iterator() throws Exception {
        return InterruptibleSink.iterator(task, node.computeOrRestore(split, task));
      }

      @Override
      public void forEach(Sink<? super T> sink) throws Exception {
        node.pushOrRestore(split, task, sink);
      }
    };
  }

  final Iterator<T> computeOrRestore(Partition split, TaskContext task) throws Exception {
    RDD<T> checkpoint = originOf(node()).checkpoint();
    return checkpoint == null
        ? compute(split, task)
        : checkpoint.iterator(sameOfCheckpoint(split), task);
  }

  final void pushOrRestore(Partition split, TaskContext task, Sink<? super T> sink)
      throws Exception {
    RDD<T> checkpoint = originOf(node()).checkpoint();
    if (checkpoint == null) {
      push(split, task, sink);
    } else {
      checkpoint.forEachRecord(sameOfCheckpoint(split), task, sink);
    }
  }

  /// Children may hold partitions from before the lineage was cut. A checkpoint goes by the index
  /// alone.
  private static Partition sameOfCheckpoint(Partition split) {
    return split instanceof IndexedPartition ? split : new IndexedPartition(split.index());
  }

  private static <T> Origin<T> originOf(Lineage<T> node) {
    return node.origin;
  }

  /// This RDD, or what it is a view of.
  @SuppressWarnings("unchecked") // the class is sealed: it is an RDD<T>
  final RDD<T> node() {
    return viewed == null ? (RDD<T>) this : viewed;
  }

  /// Unique in the context. A typed view such as [PairRDD] shares the id of what it shows.
  public final int id() {
    return id;
  }

  /// What the partitions are computed from; after a checkpoint, the checkpoint.
  public final List<Dependency<?>> dependencies() {
    return originOf(node()).dependencies();
  }

  /// All partitions, by index. Computed when first asked for; may list input files.
  ///
  /// @throws IllegalStateException in a task
  public final List<Partition> partitions() {
    if (viewed != null) {
      return viewed.partitions();
    }
    List<Partition> known = partitions;
    if (known != null) {
      return known;
    }
    Ancestors.computePartitions(this);
    return computePartitionsOnce();
  }

  final boolean knowsPartitions() {
    return partitions != null;
  }

  private synchronized List<Partition> computePartitionsOnce() {
    if (partitions == null) {
      context();
      List<Partition> computed = List.copyOf(computePartitions());
      for (int i = 0; i < computed.size(); i++) {
        if (computed.get(i).index() != i) {
          throw new KilnException(
              "PARTITION_INDEX_WRONG",
              KilnException.Kind.APPLICATION,
              "%s gave partition %d the index %d; an RDD's partitions must be numbered from 0"
                  .formatted(getClass().getName(), i, computed.get(i).index()));
        }
      }
      partitions = computed;
    }
    return partitions;
  }

  /// How many partitions there are.
  public final int numPartitions() {
    RDD<T> node = node();
    return node.knowsPartitions() ? node.partitions().size() : node.countPartitions();
  }

  /// For one that knows without making them.
  int countPartitions() {
    return partitions().size();
  }

  /// How alike the records of a partition are each time that it is computed; for a checkpointed
  /// RDD, read.
  public final Determinism determinism() {
    return Ancestors.determinism(node(), context().checkpoints().epoch());
  }

  /// `null` if it was not computed since the last checkpoint was written.
  final Determinism knownDeterminism(int epoch) {
    KnownDeterminism known = knownDeterminism;
    return known == null || known.epoch() != epoch ? null : known.value();
  }

  final void computeDeterminism(List<Determinism> inputs, int epoch) {
    Determinism value = isCheckpointed() ? Determinism.DETERMINATE : outputDeterminism(inputs);
    knownDeterminism = new KnownDeterminism(epoch, value);
  }

  /// Hosts where the partition is cheap to compute; may be empty.
  public final List<String> preferredLocations(Partition split) {
    return new Places(StoredPlaces.NOWHERE).of(this, split.index());
  }

  /// For each partition where it is cheap to compute, as of now. For the engine.
  ///
  /// @param stored what counts for more than what an input prefers
  public final List<List<String>> places(StoredPlaces stored) {
    Places places = new Places(stored);
    int size = numPartitions();
    List<List<String>> all = new ArrayList<>(size);
    for (int partition = 0; partition < size; partition++) {
      all.add(places.of(this, partition));
    }
    return all;
  }

  /// Those of the RDD itself, whatever it reads.
  List<String> ownPreferredLocations(int partition) {
    return isCheckpointed()
        ? List.of() // that is what it reads
        : computePreferredLocations(partitions().get(partition));
  }

  /// Where the user's program made this RDD.
  public final CallSite callSite() {
    return callSite;
  }

  /// Where the partitions are kept once they are computed; [StorageLevel#NONE] unless persisted.
  public final StorageLevel storageLevel() {
    return stateOf(node()).storageLevel;
  }

  /// The context that made it.
  ///
  /// @throws IllegalStateException in a task: an RDD can't be used inside another's function
  public final KilnContext context() {
    if (context == null) {
      throw new IllegalStateException(
          "an RDD was used inside a task; compute what the function needs first, and broadcast it");
    }
    return context;
  }

  /// What it was named by [RDD#setName].
  public final Optional<String> name() {
    return Optional.ofNullable(stateOf(node()).name);
  }

  /// Whether the records have been checkpointed, reliably or locally, and the lineage cut.
  public final boolean isCheckpointed() {
    return originOf(node()).checkpoint() != null;
  }

  /// Where a reliable checkpoint was written; empty before that and for a local checkpoint.
  public final Optional<String> getCheckpointFile() {
    return Optional.ofNullable(stateOf(node()).checkpointFile);
  }

  // ---- changes of state, by RDD and Checkpoints ---------------------------------------------

  private static <T> Lineage<T> stateOf(Lineage<T> node) {
    return node;
  }

  final void rename(String newName) {
    stateOf(node()).name = newName;
  }

  final void assignStorageLevel(StorageLevel level) {
    stateOf(node()).storageLevel = level;
  }

  final CheckpointMark checkpointMark() {
    return stateOf(node()).checkpointMark;
  }

  final void markForCheckpoint(CheckpointMark mark) {
    stateOf(node()).checkpointMark = mark;
  }

  /// From now on the records are read from `checkpoint`, and the parents are forgotten.
  ///
  /// @param checkpoint has the same number of partitions, each only an index
  /// @param file where it was written; `null` if in the executors only
  final void cutLineage(RDD<T> checkpoint, CheckpointMark done, String file) {
    Lineage<T> node = stateOf(node());
    node.partitions();
    node.origin = new Origin<>(List.of(new OneToOneDependency<>(checkpoint)), checkpoint);
    node.checkpointMark = done;
    node.checkpointFile = file;
    node.partitions = checkpoint.partitions();
  }
}
