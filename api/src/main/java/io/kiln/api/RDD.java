package io.kiln.api;

import io.kiln.api.function.BiFlatMapFunction;
import io.kiln.api.function.BiFunction;
import io.kiln.api.function.BinaryOperator;
import io.kiln.api.function.Consumer;
import io.kiln.api.function.FlatMapFunction;
import io.kiln.api.function.Function;
import io.kiln.api.function.Predicate;
import io.kiln.api.function.QuadFunction;
import io.kiln.api.function.SerializableComparator;
import io.kiln.api.function.ToDoubleFunction;
import io.kiln.api.function.TriFunction;
import io.kiln.api.spi.EngineLocator;
import io.kiln.api.spi.FileFormats;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// A collection of records in partitions, described by what it is computed from.
///
/// A *transformation* makes another RDD and computes nothing; an *action* runs a job, waits for it
/// and gives its result. An RDD that is not persisted is computed again by each job that needs it.
///
/// **Order.** Records keep their order within a partition, and partitions theirs, through every
/// transformation that doesn't say that it *moves data*. A transformation that moves data (a
/// *shuffle*) writes all records by key to local disks and reads them in a new stage; what comes
/// out is in no particular order unless the operation sorts.
///
/// **Functions** are serialised at the call, so one that can't be fails there, with
/// [KilnException] `CLOSURE_NOT_SERIALIZABLE`. They run in tasks, on copies; what they change in
/// their surroundings is not seen in the driver: use an accumulator. They may throw anything, which
/// fails the task.
///
/// **Number of partitions.** Where a shuffle is given none, it has `spark.default.parallelism` if
/// that is set, or else as many as its largest parent.
///
/// Subclass it for sources and operators of your own: give the parents to the constructor and
/// implement [#computePartitions] and [#compute].
///
/// Thread-safe in the driver; useless in a task.
public abstract non-sealed class RDD<T> extends Lineage<T> {

  /// For sources and operators.
  ///
  /// @param dependencies what it is computed from; none for a source
  protected RDD(KilnContext context, List<? extends Dependency<?>> dependencies) {
    super(context, dependencies);
  }

  /// A view of `source` under another type.
  RDD(RDD<T> source) {
    super(source);
  }

  private void check(Object function, String operation) {
    context()
        .engine()
        .checkSerializable(Arguments.present(function, operation, "argument"), operation);
  }

  // ---- record by record ---------------------------------------------------------------------

  /// Each record changed by `function`. The partitioner is lost.
  public final <R> RDD<R> map(Function<? super T, ? extends R> function) {
    check(function, "map");
    return new MapRDD<>(this, function, false);
  }

  /// Same as [#map], to pairs.
  public final <K, V> PairRDD<K, V> mapToPair(Function<? super T, ? extends Pair<K, V>> function) {
    check(function, "mapToPair");
    return PairRDD.from(new MapRDD<T, Pair<K, V>>(this, function, false));
  }

  /// Same as [#map], to numbers.
  public final DoubleRDD mapToDouble(ToDoubleFunction<? super T> function) {
    check(function, "mapToDouble");
    return DoubleRDD.from(new MapRDD<T, Double>(this, function::applyAsDouble, false));
  }

  /// The records for which `predicate` holds, in order. The partitioner is kept.
  public RDD<T> filter(Predicate<? super T> predicate) {
    check(predicate, "filter");
    return new FilterRDD<>(this, predicate);
  }

  /// Each record replaced by what `function` makes of it, none or many. The partitioner is lost.
  public final <R> RDD<R> flatMap(FlatMapFunction<? super T, R> function) {
    check(function, "flatMap");
    return new FlatMapRDD<>(this, function, false);
  }

  /// Same as [#flatMap], to pairs.
  public final <K, V> PairRDD<K, V> flatMapToPair(FlatMapFunction<? super T, Pair<K, V>> function) {
    check(function, "flatMapToPair");
    return PairRDD.from(new FlatMapRDD<T, Pair<K, V>>(this, function, false));
  }

  /// Same as [#flatMap], to numbers.
  public final DoubleRDD flatMapToDouble(FlatMapFunction<? super T, Double> function) {
    check(function, "flatMapToDouble");
    return DoubleRDD.from(new FlatMapRDD<T, Double>(this, function, false));
  }

  /// Each record with the key that `function` gives it.
  public final <K> PairRDD<K, T> keyBy(Function<? super T, ? extends K> function) {
    check(function, "keyBy");
    return PairRDD.from(
        new MapRDD<T, Pair<K, T>>(this, v -> new Pair<>(function.apply(v), v), false));
  }

  // ---- partition by partition ---------------------------------------------------------------

  /// Each partition replaced by what `function` makes of it. The partitioner is lost.
  ///
  /// The function runs once a partition; a partition is held in memory only if the function does.
  public final <R> RDD<R> mapPartitions(FlatMapFunction<Iterator<T>, R> function) {
    return mapPartitions(function, false);
  }

  /// @param preservesPartitioning whether the keys of pairs stay as they are, so that the
  /// partitioner holds for the result too
  public final <R> RDD<R> mapPartitions(
      FlatMapFunction<Iterator<T>, R> function, boolean preservesPartitioning) {
    check(function, "mapPartitions");
    return MapPartitionsRDD.ofIterators(
        this, (_, records) -> function.apply(records), preservesPartitioning);
  }

  /// Same as [#mapPartitions], to pairs.
  public final <K, V> PairRDD<K, V> mapPartitionsToPair(
      FlatMapFunction<Iterator<T>, Pair<K, V>> function) {
    return PairRDD.from(mapPartitions(function, false));
  }

  /// Same as [#mapPartitions], to numbers.
  public final DoubleRDD mapPartitionsToDouble(FlatMapFunction<Iterator<T>, Double> function) {
    return DoubleRDD.from(mapPartitions(function, false));
  }

  /// Same as [#mapPartitions]; the function is also given the partition's index.
  public final <R> RDD<R> mapPartitionsWithIndex(
      BiFlatMapFunction<Integer, Iterator<T>, R> function) {
    return mapPartitionsWithIndex(function, false);
  }

  /// @param preservesPartitioning whether the keys of pairs stay as they are
  public final <R> RDD<R> mapPartitionsWithIndex(
      BiFlatMapFunction<Integer, Iterator<T>, R> function, boolean preservesPartitioning) {
    check(function, "mapPartitionsWithIndex");
    return MapPartitionsRDD.ofIterators(this, function, preservesPartitioning);
  }

  /// One record a partition: the list of its records, held in memory.
  public final RDD<List<T>> glom() {
    return new MapPartitionsRDD<>(
        this, (_, _, records) -> Transformations.single(() -> Actions.toList(records)), false);
  }

  /// Each partition through a process of its own: a line a record (its `toString`) to its input,
  /// and a record a line of its output.
  ///
  /// The process is started with the first record asked for. What it writes to its error output
  /// goes to the executor's. If it ends with another code than 0, the task fails with the command
  /// and the code.
  ///
  /// @param command split at white space; no shell reads it
  public final RDD<String> pipe(String command) {
    return pipe(
        List.of(Arguments.present(command, "pipe", "command").strip().split("\\s+")), Map.of());
  }

  /// @param command the program and its arguments
  public final RDD<String> pipe(List<String> command) {
    return pipe(command, Map.of());
  }

  /// @param environment variables in addition to the executor's own
  public final RDD<String> pipe(List<String> command, Map<String, String> environment) {
    PipedProcess.requireCommand(command);
    return new MapPartitionsRDD<>(
        this, new PipedProcess<T>(List.copyOf(command), Map.copyOf(environment)), false);
  }

  // ---- several RDDs -------------------------------------------------------------------------

  /// This RDD's partitions, then the other's. Duplicates stay; nothing moves. If both have the same
  /// partitioner, partition `i` holds both partitions `i`, and the partitioner is kept.
  public RDD<T> union(RDD<T> other) {
    return Transformations.union(
        context(), List.of(this, Arguments.present(other, "union", "RDD")));
  }

  /// The distinct records that are in both. Moves data.
  public RDD<T> intersection(RDD<T> other) {
    return Transformations.intersection(this, other, Optional.empty());
  }

  /// @param numPartitions of the result
  public RDD<T> intersection(RDD<T> other, int numPartitions) {
    return intersection(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner places the records themselves
  public RDD<T> intersection(RDD<T> other, Partitioner partitioner) {
    return Transformations.intersection(this, other, Optional.of(partitioner));
  }

  /// The records that are not in `other`, duplicates included, in as many partitions as this has.
  /// Moves data.
  public RDD<T> subtract(RDD<T> other) {
    return Transformations.subtract(this, other, Optional.empty());
  }

  /// @param numPartitions of the result
  public RDD<T> subtract(RDD<T> other, int numPartitions) {
    return subtract(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner places the records themselves
  public RDD<T> subtract(RDD<T> other, Partitioner partitioner) {
    return Transformations.subtract(this, other, Optional.of(partitioner));
  }

  /// Every record of this with every record of `other`. Each partition of one meets each of the
  /// other: the result has the product of their numbers, and `other` is computed again for each
  /// record of this unless it is persisted.
  public final <U> PairRDD<T, U> cartesian(RDD<U> other) {
    return PairRDD.from(new CartesianRDD<>(this, Arguments.present(other, "cartesian", "RDD")));
  }

  /// The i-th record of each partition with the i-th of the other's.
  ///
  /// Both must have equal numbers of partitions, and of records in each; else the call, or the
  /// task, fails.
  public final <U> PairRDD<T, U> zip(RDD<U> other) {
    return PairRDD.from(Transformations.zip(this, Arguments.present(other, "zip", "RDD")));
  }

  /// Partition `i` of both, given to `function` together. Both must have equal numbers of
  /// partitions.
  public final <U, R> RDD<R> zipPartitions(
      RDD<U> second, BiFlatMapFunction<Iterator<T>, Iterator<U>, R> function) {
    check(function, "zipPartitions");
    return new ZippedPartitionsRDD<>(
        context(),
        List.of(this, second),
        its -> function.apply(Transformations.cast(its[0]), Transformations.cast(its[1])));
  }

  /// Same, of three.
  public final <U, V, R> RDD<R> zipPartitions(
      RDD<U> second,
      RDD<V> third,
      TriFunction<Iterator<T>, Iterator<U>, Iterator<V>, Iterator<? extends R>> function) {
    check(function, "zipPartitions");
    return new ZippedPartitionsRDD<>(
        context(),
        List.of(this, second, third),
        its ->
            function.apply(
                Transformations.cast(its[0]),
                Transformations.cast(its[1]),
                Transformations.cast(its[2])));
  }

  /// Same, of four.
  public final <U, V, W, R> RDD<R> zipPartitions(
      RDD<U> second,
      RDD<V> third,
      RDD<W> fourth,
      QuadFunction<Iterator<T>, Iterator<U>, Iterator<V>, Iterator<W>, Iterator<? extends R>>
          function) {
    check(function, "zipPartitions");
    return new ZippedPartitionsRDD<>(
        context(),
        List.of(this, second, third, fourth),
        its ->
            function.apply(
                Transformations.cast(its[0]),
                Transformations.cast(its[1]),
                Transformations.cast(its[2]),
                Transformations.cast(its[3])));
  }

  /// Each record with its position, counted from the first partition on. Runs a job at the call, to
  /// count, if there is more than one partition.
  public final PairRDD<T, Long> zipWithIndex() {
    return PairRDD.from(Transformations.zipWithIndex(this));
  }

  /// Each record with a number that no other has: in partition `k` of `n`, `k`, `n + k`, `2n + k`…
  /// Runs no job.
  public final PairRDD<T, Long> zipWithUniqueId() {
    return PairRDD.from(Transformations.zipWithUniqueId(this));
  }

  // ---- grouping, sorting, distinct ----------------------------------------------------------

  /// The records, each once. Moves data, after removing the duplicates within each partition.
  public RDD<T> distinct() {
    return distinct(Shuffles.defaultPartitions(this));
  }

  /// @param numPartitions of the result
  public RDD<T> distinct(int numPartitions) {
    return Transformations.distinct(this, numPartitions);
  }

  /// The records by the key that `function` gives them. Moves all data; the group of a key is held
  /// in memory as a whole. To sum up groups, [PairRDD#aggregateByKey] moves less.
  public final <K> PairRDD<K, Iterable<T>> groupBy(Function<? super T, ? extends K> function) {
    check(function, "groupBy");
    return this.<K>keyBy(function).groupByKey();
  }

  /// @param numPartitions of the result
  public final <K> PairRDD<K, Iterable<T>> groupBy(
      Function<? super T, ? extends K> function, int numPartitions) {
    check(function, "groupBy");
    return this.<K>keyBy(function).groupByKey(numPartitions);
  }

  /// @param partitioner of the result
  public final <K> PairRDD<K, Iterable<T>> groupBy(
      Function<? super T, ? extends K> function, Partitioner partitioner) {
    check(function, "groupBy");
    return this.<K>keyBy(function).groupByKey(partitioner);
  }

  /// The records in ascending order of their keys: each partition sorted, and all of it before the
  /// next. Moves data. Runs a job at the call, to sample the keys.
  public <S extends Comparable<? super S>> RDD<T> sortBy(Function<? super T, S> key) {
    return sortBy(key, true, numPartitions());
  }

  /// @param numPartitions at most; fewer if there are fewer distinct keys
  public <S extends Comparable<? super S>> RDD<T> sortBy(
      Function<? super T, S> key, boolean ascending, int numPartitions) {
    return sortBy(
        key,
        ascending ? Comparator.<S>naturalOrder() : Comparator.<S>reverseOrder(),
        numPartitions);
  }

  /// @param order of the keys; must be serialisable
  public <S> RDD<T> sortBy(
      Function<? super T, S> key, Comparator<? super S> order, int numPartitions) {
    check(key, "sortBy");
    return this.<S>keyBy(key).sortByKey(order, numPartitions).values();
  }

  // ---- number of partitions -----------------------------------------------------------------

  /// At most `numPartitions`, by joining neighbours, without moving data. Fewer partitions also
  /// mean fewer tasks for all of the stage; to avoid that, shuffle.
  public RDD<T> coalesce(int numPartitions) {
    return coalesce(numPartitions, false);
  }

  /// @param shuffle whether to move the records, dealt out evenly; then more partitions than now
  ///     are possible
  public RDD<T> coalesce(int numPartitions, boolean shuffle) {
    return Transformations.coalesce(this, numPartitions, shuffle);
  }

  /// Exactly `numPartitions` of nearly equal size, dealt out in turn. Moves data.
  public RDD<T> repartition(int numPartitions) {
    return coalesce(numPartitions, true);
  }

  // ---- samples ------------------------------------------------------------------------------

  /// Same as with a random seed.
  public RDD<T> sample(boolean withReplacement, double fraction) {
    return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
  }

  /// A random part of the records; the size is random too, `fraction` of all on average.
  ///
  /// @param fraction without replacement, the probability of each record, from 0 to 1; with, how
  /// often each is taken on average
  /// @param seed the same gives the same sample of the same partitions
  public RDD<T> sample(boolean withReplacement, double fraction, long seed) {
    return Sampling.sample(this, withReplacement, fraction, seed);
  }

  /// Same as with a random seed.
  public final List<RDD<T>> randomSplit(double[] weights) {
    return randomSplit(weights, ThreadLocalRandom.current().nextLong());
  }

  /// The records dealt out at random to as many RDDs as there are weights; each record goes to one.
  /// The RDD must give the same records in the same order each time that it is computed: persist it
  /// where it might not.
  ///
  /// @param weights finite, not negative; their sum counts as 1
  public final List<RDD<T>> randomSplit(double[] weights, long seed) {
    return Sampling.randomSplit(this, weights, seed);
  }

  /// Same as with a random seed.
  public final List<T> takeSample(boolean withReplacement, int count) {
    return takeSample(withReplacement, count, ThreadLocalRandom.current().nextLong());
  }

  /// `count` random records in random order; all of them if there are fewer and each may be taken
  /// once only. Action: counts first, then samples, more than once if it was too few.
  public final List<T> takeSample(boolean withReplacement, int count, long seed) {
    return Sampling.takeSample(this, withReplacement, count, seed);
  }

  // ---- keeping ------------------------------------------------------------------------------

  /// Same as `persist(StorageLevel.MEMORY_ONLY)`.
  public RDD<T> cache() {
    return persist(StorageLevel.MEMORY_ONLY);
  }

  /// Same as [#cache].
  public RDD<T> persist() {
    return cache();
  }

  /// Keeps each partition where `level` says when it is computed first. Computes nothing now.
  ///
  /// @throws KilnException `STORAGE_LEVEL_ASSIGNED` if it has another level already
  public RDD<T> persist(StorageLevel level) {
    context().persisted(node(), Arguments.present(level, "persist", "storage level"));
    return this;
  }

  /// Same as `unpersist(false)`.
  public RDD<T> unpersist() {
    return unpersist(false);
  }

  /// Drops what [#persist] kept; later jobs compute it again.
  ///
  /// @param blocking whether to wait until all is dropped
  public RDD<T> unpersist(boolean blocking) {
    context().unpersisted(node(), blocking);
    return this;
  }

  /// Has the records written to the checkpoint directory after the first job that computes them,
  /// and forgets what they were computed from. They are computed once more for that, so persist it.
  ///
  /// @throws KilnException `CHECKPOINT_DIRECTORY_MISSING` if the context has none
  public final void checkpoint() {
    context().checkpoints().markReliable(node());
  }

  /// Has the records kept in the executors after the first job that computes them, and forgets what
  /// they were computed from. Fast, and not safe: if an executor is lost, so are they.
  public RDD<T> localCheckpoint() {
    context().checkpoints().markLocal(node());
    return this;
  }

  /// Names it in logs and in the UI.
  public RDD<T> setName(String newName) {
    rename(newName);
    return this;
  }

  // ---- actions: all records -----------------------------------------------------------------

  /// All records, by partition, in the driver's memory.
  public final List<T> collect() {
    return Actions.collect(this);
  }

  /// The records of some partitions, a list each.
  public final List<List<T>> collectPartitions(int... partitionIds) {
    return context().runJob(this, (_, records) -> Actions.toList(records), partitionIds);
  }

  /// All records, fetched by a job a partition as the iterator gets there; the driver holds one
  /// partition at a time. An RDD that is costly to compute is better persisted first.
  public final Iterator<T> toLocalIterator() {
    return toLocalIterator(false);
  }

  /// @param prefetch whether to have the next partition computed while one is used
  public final Iterator<T> toLocalIterator(boolean prefetch) {
    return Actions.toLocalIterator(this, prefetch);
  }

  /// How many records there are.
  public final long count() {
    return Actions.count(this);
  }

  /// How often each record occurs, in the driver's memory. Records are found equal as keys are
  /// ([PairRDD]).
  public final Map<T, Long> countByValue() {
    return Actions.countByValue(this);
  }

  /// Runs `action` on every record, in the tasks.
  public final void foreach(Consumer<? super T> action) {
    check(action, "foreach");
    Actions.foreach(this, action);
  }

  /// Runs `action` once a partition, in the tasks.
  public final void foreachPartition(Consumer<Iterator<T>> action) {
    check(action, "foreachPartition");
    Actions.foreachPartition(this, action);
  }

  // ---- actions: a few records ---------------------------------------------------------------

  /// The first record of the first partition that has one.
  ///
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T first() {
    return Actions.first(this);
  }

  /// The first `count` records. Looks at one partition first, and at more, up to four times as many
  /// each time, while there are too few records.
  public final List<T> take(int count) {
    return Actions.take(this, count);
  }

  /// The `count` largest records, in descending natural order.
  public final List<T> top(int count) {
    return top(count, Actions.<T>naturalOrder());
  }

  /// The `count` largest records by `order`, in descending order. Each task keeps that many.
  ///
  /// @param order must be serialisable
  public final List<T> top(int count, Comparator<? super T> order) {
    check(order, "top");
    return Actions.takeOrdered(this, count, order.reversed());
  }

  /// Same, for a lambda.
  public final List<T> top(int count, SerializableComparator<? super T> order) {
    return top(count, (Comparator<? super T>) order);
  }

  /// The `count` smallest records, in ascending natural order.
  public final List<T> takeOrdered(int count) {
    return takeOrdered(count, Actions.<T>naturalOrder());
  }

  /// The `count` smallest records by `order`, in ascending order. Each task keeps that many.
  ///
  /// @param order must be serialisable
  public final List<T> takeOrdered(int count, Comparator<? super T> order) {
    check(order, "takeOrdered");
    return Actions.takeOrdered(this, count, order);
  }

  /// Same, for a lambda.
  public final List<T> takeOrdered(int count, SerializableComparator<? super T> order) {
    return takeOrdered(count, (Comparator<? super T>) order);
  }

  /// The largest record; of equal ones, the first.
  ///
  /// @param order must be serialisable
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T max(Comparator<? super T> order) {
    check(order, "max");
    return Actions.reduce(this, (a, b) -> order.compare(a, b) >= 0 ? a : b, "max");
  }

  /// Same, for a lambda.
  public final T max(SerializableComparator<? super T> order) {
    return max((Comparator<? super T>) order);
  }

  /// The smallest record; of equal ones, the first.
  ///
  /// @param order must be serialisable
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T min(Comparator<? super T> order) {
    check(order, "min");
    return Actions.reduce(this, (a, b) -> order.compare(a, b) <= 0 ? a : b, "min");
  }

  /// Same, for a lambda.
  public final T min(SerializableComparator<? super T> order) {
    return min((Comparator<? super T>) order);
  }

  /// Whether there is no record. Looks at as few partitions as [#take] does.
  public final boolean isEmpty() {
    return numPartitions() == 0 || take(1).isEmpty();
  }

  // ---- actions: one value of all ------------------------------------------------------------

  /// All records made one, in each partition from left to right, then partition by partition.
  ///
  /// @param function associative
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T reduce(BinaryOperator<T> function) {
    check(function, "reduce");
    return Actions.reduce(this, function, "reduce");
  }

  /// Same as [#reduce]; the partitions' results are joined in `2` levels of tasks, not all in the
  /// driver.
  public final T treeReduce(BinaryOperator<T> function) {
    return treeReduce(function, 2);
  }

  /// @param depth how many levels; at least 1
  public final T treeReduce(BinaryOperator<T> function, int depth) {
    check(function, "treeReduce");
    return Trees.reduce(this, function, depth);
  }

  /// All records added to `zero`. Each partition starts with a copy of `zero` of its own, and so
  /// does the joining of their results: it must not change a sum. With no records, `zero`.
  ///
  /// @param function associative; may change and return its first argument
  public final T fold(T zero, BinaryOperator<T> function) {
    check(function, "fold");
    return Actions.aggregate(this, ZeroValue.of(zero, "fold"), function, function);
  }

  /// All records added to `zero` by `add`, and the partitions' results joined by `join`. Each
  /// partition, and the joining, starts with a copy of `zero` of its own. With no records, `zero`.
  ///
  /// @param add may change and return its first argument
  /// @param join associative; may change and return its first argument
  public final <U> U aggregate(U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join) {
    check(add, "aggregate");
    check(join, "aggregate");
    return Actions.aggregate(this, ZeroValue.of(zero, "aggregate"), add, join);
  }

  /// Same as [#aggregate]; the partitions' results are joined in `2` levels of tasks.
  public final <U> U treeAggregate(
      U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join) {
    return treeAggregate(zero, add, join, 2);
  }

  /// @param depth how many levels; at least 1
  public final <U> U treeAggregate(
      U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join, int depth) {
    check(add, "treeAggregate");
    check(join, "treeAggregate");
    return Trees.aggregate(this, ZeroValue.of(zero, "treeAggregate"), add, join, depth);
  }

  // ---- actions: estimates -------------------------------------------------------------------

  /// Same as with confidence 0.95.
  public final PartialResult<BoundedDouble> countApprox(long timeoutMillis) {
    return countApprox(timeoutMillis, 0.95);
  }

  /// The number of records, estimated from the partitions that are done when the time is up.
  ///
  /// @param confidence from 0 to 1: how probable the interval is to hold the number
  public final PartialResult<BoundedDouble> countApprox(long timeoutMillis, double confidence) {
    return Approximations.count(this, timeoutMillis, confidence);
  }

  /// Same as with confidence 0.95.
  public final PartialResult<Map<T, BoundedDouble>> countByValueApprox(long timeoutMillis) {
    return countByValueApprox(timeoutMillis, 0.95);
  }

  /// How often each record occurs, estimated from the partitions that are done when the time is up.
  public final PartialResult<Map<T, BoundedDouble>> countByValueApprox(
      long timeoutMillis, double confidence) {
    return Approximations.countByValue(this, timeoutMillis, confidence);
  }

  /// Same as with a relative deviation of 0.05.
  public final long countApproxDistinct() {
    return countApproxDistinct(0.05);
  }

  /// About how many different records there are, by HyperLogLog: one pass, and a few KiB a task.
  /// Few are counted exactly.
  ///
  /// @param relativeDeviation the standard deviation wanted, as a part of the number; at least
  /// 0.00003; the memory grows with its inverse square
  public final long countApproxDistinct(double relativeDeviation) {
    return Approximations.countDistinct(this, relativeDeviation);
  }

  // ---- actions: files -----------------------------------------------------------------------

  /// Writes a line a record (its `toString`), a file a partition.
  ///
  /// @param path of a directory that isn't there yet
  /// @throws KilnException `OUTPUT_PATH_EXISTS`, before any task runs
  public final void saveAsTextFile(String path) {
    EngineLocator.load(FileFormats.class)
        .saveAsTextFile(node(), path(path, "saveAsTextFile"), Optional.empty());
  }

  /// @param codec `gzip`, `bzip2`, `zstd` or `lz4`
  public final void saveAsTextFile(String path, String codec) {
    EngineLocator.load(FileFormats.class)
        .saveAsTextFile(
            node(),
            path(path, "saveAsTextFile"),
            Optional.of(Arguments.present(codec, "saveAsTextFile", "codec")));
  }

  /// Writes the records serialised, for [KilnContext#objectFile].
  ///
  /// @param path of a directory that isn't there yet
  public final void saveAsObjectFile(String path) {
    EngineLocator.load(FileFormats.class).saveAsObjectFile(node(), path(path, "saveAsObjectFile"));
  }

  private static String path(String path, String operation) {
    return Arguments.present(path, operation, "path");
  }

  // ---- actions that don't wait --------------------------------------------------------------

  /// [#count], as a future.
  public final JobFuture<Long> countAsync() {
    return AsyncActions.count(this);
  }

  /// [#collect], as a future.
  public final JobFuture<List<T>> collectAsync() {
    return AsyncActions.collect(this);
  }

  /// [#take], as a future; one job after the other.
  public final JobFuture<List<T>> takeAsync(int count) {
    return AsyncActions.take(this, count);
  }

  /// [#foreach], as a future.
  public final JobFuture<Void> foreachAsync(Consumer<? super T> action) {
    check(action, "foreachAsync");
    return AsyncActions.foreach(this, action);
  }

  /// [#foreachPartition], as a future.
  public final JobFuture<Void> foreachPartitionAsync(Consumer<Iterator<T>> action) {
    check(action, "foreachPartitionAsync");
    return AsyncActions.foreachPartition(this, action);
  }

  // ---- looking at it ------------------------------------------------------------------------

  /// The lineage, a line an RDD: partitions, kind, name, where it was made and where it is kept.
  /// What is before a shuffle is indented.
  public final String toDebugString() {
    return DebugString.of(node());
  }

  @Override
  public String toString() {
    RDD<T> node = node();
    return name().map(n -> n + " ").orElse("")
        + node.getClass().getSimpleName()
        + "["
        + id()
        + "] at "
        + callSite();
  }
}
