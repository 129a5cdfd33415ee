package io.kiln.api;

import io.kiln.api.spi.StoredPlaces;
import io.kiln.api.spi.UserCallSite;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// An RDD without its operations: its identity, the RDDs that it is computed from, its partitions,
/// and where these are kept.
///
/// It is made in the driver, and thread-safe there. The engine sends a copy to tasks. They can read
/// records from the copy, and nothing else.
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
    this.callSite = UserCallSite.here();
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

  /// Makes the partitions. The `index()` of each is its position in the list. The engine calls this
  /// once, in the driver, when it first needs the partitions.
  protected abstract List<? extends Partition> computePartitions();

  /// Returns the records of a partition. A task calls this. It should do little before the iterator
  /// is asked for a record.
  ///
  /// An operator reads its parents with [#iterator].
  public abstract Iterator<T> compute(Partition split, TaskContext task) throws Exception;

  /// Pushes the records of a partition into a sink, until the sink wants no more. An operator
  /// overrides this if it can push without an iterator. Both forms give the same records in the
  /// same order.
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    Iterator<T> records = compute(split, task);
    while (records.hasNext()) {
      task.throwIfInterrupted();
      if (!sink.accept(records.next())) {
        return;
      }
    }
  }

  /// Returns hosts on which the partition is cheap to compute, for another reason than that its
  /// parents' partitions are there. The list may be empty. The engine calls this in the driver.
  protected List<String> computePreferredLocations(Partition split) {
    return List.of();
  }

  /// Says how alike the records of a partition are each time that it is computed. The engine calls
  /// this in the driver.
  ///
  /// By default they are as alike as the records that the RDD reads. If the records of an operator
  /// depend on the order of those that it reads, it returns [Determinism#whereOrderMatters] of
  /// that. An operator that draws lots without a fixed seed returns [Determinism#INDETERMINATE],
  /// and so does a source that gives other records each time. After a loss, the engine then
  /// computes again all that was computed from the lost records, and not the lost records alone.
  ///
  /// @param inputs how alike the records of each dependency are, in the order of [#dependencies]
  protected Determinism outputDeterminism(List<Determinism> inputs) {
    Determinism output = Determinism.DETERMINATE;
    for (Determinism input : inputs) {
      output = output.and(input);
    }
    return output;
  }

  /// Returns how the records are placed, if they are pairs that are placed by key.
  public Optional<Partitioner> partitioner() {
    return Optional.empty();
  }

  /// Returns the RDD of the dependency at a position. An operator should ask here, and not keep its
  /// parent in a field. Then it lets go of its parents when it is checkpointed.
  ///
  /// @param <U> the type of the parent's records; it is not checked
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the operator knows its parents
  protected final <U> RDD<U> parent(int dependency) {
    return (RDD<U>) dependencies().get(dependency).parent();
  }

  // ---- what operators and the engine use ----------------------------------------------------

  /// Returns the records of a partition: those that are persisted, or else computed ones. Operators
  /// call this in tasks.
  public final Iterator<T> iterator(Partition split, TaskContext task) throws Exception {
    RDD<T> node = node();
    if (node.storageLevel().isPersistent()) {
      return InterruptibleSink.iterator(task, task.runtime().persisted(node, split).iterator());
    }
    return node.computeOrRestore(split, task);
  }

  /// Same as [#iterator], but pushes the records into a sink.
  public final void forEachRecord(Partition split, TaskContext task, Sink<? super T> sink)
      throws Exception {
    RDD<T> node = node();
    if (node.storageLevel().isPersistent()) {
      task.runtime().persisted(node, split).forEach(new InterruptibleSink<>(task, sink));
    } else {
      node.pushOrRestore(split, task, sink);
    }
  }

  /// Returns the records of a partition, to be read once, in either form.
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

  /// Computes a partition without looking whether it is stored. The engine calls this in order to
  /// store it.
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

  /// Returns an id that no other RDD of the context has. A typed view such as [PairRDD] has the id
  /// of the RDD that it shows.
  public final int id() {
    return id;
  }

  /// Returns what the partitions are computed from. After a checkpoint, that is the checkpoint.
  public final List<Dependency<?>> dependencies() {
    return originOf(node()).dependencies();
  }

  /// Returns all partitions, by index. The first call makes them, and may list input files for
  /// that.
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

  /// Returns how many partitions there are.
  public final int numPartitions() {
    RDD<T> node = node();
    return node.knowsPartitions() ? node.partitions().size() : node.countPartitions();
  }

  /// For one that knows without making them.
  int countPartitions() {
    return partitions().size();
  }

  /// Returns how alike the records of a partition are each time that it is computed or, if the RDD
  /// is checkpointed, read.
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

  /// Returns hosts on which the partition is cheap to compute. The list may be empty.
  public final List<String> preferredLocations(Partition split) {
    return new Places(StoredPlaces.NOWHERE).of(this, split.index());
  }

  /// Returns for each partition where it is cheap to compute now. For the engine.
  ///
  /// @param stored where partitions are stored, which counts for more than what an input prefers
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

  /// Returns where the user's program made this RDD.
  public final CallSite callSite() {
    return callSite;
  }

  /// Returns where the partitions are kept once they are computed. It is [StorageLevel#NONE] unless
  /// the RDD is persisted.
  public final StorageLevel storageLevel() {
    return stateOf(node()).storageLevel;
  }

  /// Returns the context that made this RDD.
  ///
  /// @throws IllegalStateException in a task, as the function of an operation can't use an RDD
  public final KilnContext context() {
    if (context == null) {
      throw new IllegalStateException(
          "an RDD was used inside a task; compute what the function needs first, and broadcast it");
    }
    return context;
  }

  /// Returns the name that [RDD#setName] gave.
  public final Optional<String> name() {
    return Optional.ofNullable(stateOf(node()).name);
  }

  /// Returns whether the records have been checkpointed, reliably or locally, so that the lineage
  /// is cut.
  public final boolean isCheckpointed() {
    return originOf(node()).checkpoint() != null;
  }

  /// Returns where a reliable checkpoint was written. It is empty before that, and for a local
  /// checkpoint.
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
