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

/// A collection of records in partitions. An RDD describes what its records are computed from, and
/// holds none of them.
///
/// A *transformation* makes another RDD and computes nothing. An *action* runs a job, waits for it
/// and returns its result. Each job that needs an RDD computes it again, unless the RDD is
/// persisted.
///
/// **Order.** Most transformations keep the order of partitions, and the order of records within a
/// partition. A transformation that says that it *moves data* does not. It is a *shuffle*: it
/// writes all records by key to local disks, and reads them in a new stage. Its records are in no
/// particular order, unless the operation sorts.
///
/// **Functions** are serialised at the call. A function that can't be serialised fails there, with
/// [KilnException] `CLOSURE_NOT_SERIALIZABLE`. Functions run in tasks, on copies of what they use.
/// The driver does not see what a function changes there: use an accumulator. A function may throw
/// any exception, which fails the task.
///
/// **Number of partitions.** When a call names no number, the result of a shuffle has
/// `spark.default.parallelism` partitions. If that is not set, it has as many as the parent that
/// has most.
///
/// Subclass this class for sources and operators of your own. Give the parents to the constructor,
/// and implement [#computePartitions] and [#compute].
///
/// Thread-safe in the driver. In a task, an RDD is of no use.
public abstract non-sealed class RDD<T> extends Lineage<T> {

  /// For sources and operators.
  ///
  /// @param dependencies the RDDs from which this one is computed; none for a source
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

  /// Makes one record of each record, by `function`. The partitioner is lost.
  public final <R> RDD<R> map(Function<? super T, ? extends R> function) {
    check(function, "map");
    return new MapRDD<>(this, function, false);
  }

  /// Same as [#map], for a function that makes pairs.
  public final <K, V> PairRDD<K, V> mapToPair(Function<? super T, ? extends Pair<K, V>> function) {
    check(function, "mapToPair");
    return PairRDD.from(new MapRDD<T, Pair<K, V>>(this, function, false));
  }

  /// Same as [#map], for a function that makes numbers.
  public final DoubleRDD mapToDouble(ToDoubleFunction<? super T> function) {
    check(function, "mapToDouble");
    return DoubleRDD.from(new MapRDD<T, Double>(this, function::applyAsDouble, false));
  }

  /// Keeps the records for which `predicate` holds, in order. The partitioner is kept.
  public RDD<T> filter(Predicate<? super T> predicate) {
    check(predicate, "filter");
    return new FilterRDD<>(this, predicate);
  }

  /// Makes any number of records of each record, by `function`. The partitioner is lost.
  public final <R> RDD<R> flatMap(FlatMapFunction<? super T, R> function) {
    check(function, "flatMap");
    return new FlatMapRDD<>(this, function, false);
  }

  /// Same as [#flatMap], for a function that makes pairs.
  public final <K, V> PairRDD<K, V> flatMapToPair(FlatMapFunction<? super T, Pair<K, V>> function) {
    check(function, "flatMapToPair");
    return PairRDD.from(new FlatMapRDD<T, Pair<K, V>>(this, function, false));
  }

  /// Same as [#flatMap], for a function that makes numbers.
  public final DoubleRDD flatMapToDouble(FlatMapFunction<? super T, Double> function) {
    check(function, "flatMapToDouble");
    return DoubleRDD.from(new FlatMapRDD<T, Double>(this, function, false));
  }

  /// Makes a pair of each record: the key that `function` gives it, and the record.
  public final <K> PairRDD<K, T> keyBy(Function<? super T, ? extends K> function) {
    check(function, "keyBy");
    return PairRDD.from(
        new MapRDD<T, Pair<K, T>>(this, v -> new Pair<>(function.apply(v), v), false));
  }

  // ---- partition by partition ---------------------------------------------------------------

  /// Makes new records of each partition, by `function`. The partitioner is lost.
  ///
  /// The function runs once for each partition. A partition is held in memory only if the function
  /// holds it.
  public final <R> RDD<R> mapPartitions(FlatMapFunction<Iterator<T>, R> function) {
    return mapPartitions(function, false);
  }

  /// @param preservesPartitioning whether the function leaves the keys of pairs as they are, so
  ///     that the partitioner holds for the result too
  public final <R> RDD<R> mapPartitions(
      FlatMapFunction<Iterator<T>, R> function, boolean preservesPartitioning) {
    check(function, "mapPartitions");
    return MapPartitionsRDD.ofIterators(
        this, (_, records) -> function.apply(records), preservesPartitioning);
  }

  /// Same as [#mapPartitions], for a function that makes pairs.
  public final <K, V> PairRDD<K, V> mapPartitionsToPair(
      FlatMapFunction<Iterator<T>, Pair<K, V>> function) {
    return PairRDD.from(mapPartitions(function, false));
  }

  /// Same as [#mapPartitions], for a function that makes numbers.
  public final DoubleRDD mapPartitionsToDouble(FlatMapFunction<Iterator<T>, Double> function) {
    return DoubleRDD.from(mapPartitions(function, false));
  }

  /// Same as [#mapPartitions], for a function that also takes the partition's index.
  public final <R> RDD<R> mapPartitionsWithIndex(
      BiFlatMapFunction<Integer, Iterator<T>, R> function) {
    return mapPartitionsWithIndex(function, false);
  }

  /// @param preservesPartitioning whether the function leaves the keys of pairs as they are
  public final <R> RDD<R> mapPartitionsWithIndex(
      BiFlatMapFunction<Integer, Iterator<T>, R> function, boolean preservesPartitioning) {
    check(function, "mapPartitionsWithIndex");
    return MapPartitionsRDD.ofIterators(this, function, preservesPartitioning);
  }

  /// Makes one record of each partition: the list of its records, which is held in memory.
  public final RDD<List<T>> glom() {
    return new MapPartitionsRDD<>(
        this, (_, _, records) -> Transformations.single(() -> Actions.toList(records)), false);
  }

  /// Sends each partition through a process of its own. Each record goes to the process's input as
  /// a line (its `toString`), and each line of the process's output becomes a record.
  ///
  /// The process starts when the first record is asked for. Its error output goes to that of the
  /// executor. If it ends with another code than 0, the task fails, and the message has the command
  /// and the code.
  ///
  /// @param command is split at white space; no shell reads it
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

  /// Puts the partitions of `other` after those of this RDD. Duplicates stay, and no data moves. If
  /// both have the same partitioner, partition `i` of the result holds the partitions `i` of both,
  /// and the partitioner is kept.
  public RDD<T> union(RDD<T> other) {
    return Transformations.union(
        context(), List.of(this, Arguments.present(other, "union", "RDD")));
  }

  /// Keeps each record once that is in both RDDs. Moves data.
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

  /// Keeps the records that are not in `other`, duplicates included. The result has as many
  /// partitions as this RDD. Moves data.
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

  /// Makes a pair of every record of this RDD and every record of `other`. Each partition of one
  /// meets each partition of the other, so the number of partitions is the product of both numbers.
  /// `other` is computed again for each record of this RDD, unless it is persisted.
  public final <U> PairRDD<T, U> cartesian(RDD<U> other) {
    return PairRDD.from(new CartesianRDD<>(this, Arguments.present(other, "cartesian", "RDD")));
  }

  /// Makes a pair of the i-th record of each partition and the i-th record of the same partition of
  /// `other`.
  ///
  /// Both must have equal numbers of partitions, or the call fails. Their partitions must have
  /// equal numbers of records, or the task fails.
  public final <U> PairRDD<T, U> zip(RDD<U> other) {
    return PairRDD.from(Transformations.zip(this, Arguments.present(other, "zip", "RDD")));
  }

  /// Makes new records of the partitions `i` of both RDDs, by `function`. Both must have equal
  /// numbers of partitions.
  public final <U, R> RDD<R> zipPartitions(
      RDD<U> second, BiFlatMapFunction<Iterator<T>, Iterator<U>, R> function) {
    check(function, "zipPartitions");
    return new ZippedPartitionsRDD<>(
        context(),
        List.of(this, second),
        its -> function.apply(Transformations.cast(its[0]), Transformations.cast(its[1])));
  }

  /// Same, for three RDDs.
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

  /// Same, for four RDDs.
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

  /// Makes a pair of each record and its position, counted from the first partition on. If there is
  /// more than one partition, the call runs a job that counts the records.
  public final PairRDD<T, Long> zipWithIndex() {
    return PairRDD.from(Transformations.zipWithIndex(this));
  }

  /// Makes a pair of each record and a number that no other record has. The numbers in partition
  /// `k` of `n` are `k`, `n + k`, `2n + k`… Runs no job.
  public final PairRDD<T, Long> zipWithUniqueId() {
    return PairRDD.from(Transformations.zipWithUniqueId(this));
  }

  // ---- grouping, sorting, distinct ----------------------------------------------------------

  /// Keeps each record once. The tasks first remove the duplicates within each partition; then the
  /// operation moves data.
  public RDD<T> distinct() {
    return distinct(PairShuffles.defaultPartitions(this));
  }

  /// @param numPartitions of the result
  public RDD<T> distinct(int numPartitions) {
    return Transformations.distinct(this, numPartitions);
  }

  /// Groups the records by the key that `function` gives them. Moves all data. The whole group of a
  /// key is held in memory. To sum up groups, [PairRDD#aggregateByKey] moves less.
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

  /// Sorts the records in ascending order of their keys. Each partition is sorted, and its records
  /// come before those of the next partition. Moves data. The call runs a job that samples the
  /// keys.
  public <S extends Comparable<? super S>> RDD<T> sortBy(Function<? super T, S> key) {
    return sortBy(key, true, numPartitions());
  }

  /// @param numPartitions how many partitions the result has at most. It has fewer if there are
  ///     fewer distinct keys
  public <S extends Comparable<? super S>> RDD<T> sortBy(
      Function<? super T, S> key, boolean ascending, int numPartitions) {
    return sortBy(
        key,
        ascending ? Comparator.<S>naturalOrder() : Comparator.<S>reverseOrder(),
        numPartitions);
  }

  /// @param order of the keys; it must be serialisable
  public <S> RDD<T> sortBy(
      Function<? super T, S> key, Comparator<? super S> order, int numPartitions) {
    check(key, "sortBy");
    return this.<S>keyBy(key).sortByKey(order, numPartitions).values();
  }

  // ---- number of partitions -----------------------------------------------------------------

  /// Makes at most `numPartitions` partitions, by joining neighbours. No data moves. With fewer
  /// partitions, the whole stage has fewer tasks; `shuffle` avoids that.
  public RDD<T> coalesce(int numPartitions) {
    return coalesce(numPartitions, false);
  }

  /// @param shuffle whether to move the records and deal them out evenly. Then the result may have
  ///     more partitions than this RDD
  public RDD<T> coalesce(int numPartitions, boolean shuffle) {
    return Transformations.coalesce(this, numPartitions, shuffle);
  }

  /// Makes exactly `numPartitions` partitions of nearly equal size, by dealing the records out in
  /// turn. Moves data.
  public RDD<T> repartition(int numPartitions) {
    return coalesce(numPartitions, true);
  }

  // ---- samples ------------------------------------------------------------------------------

  /// Same, with a random seed.
  public RDD<T> sample(boolean withReplacement, double fraction) {
    return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
  }

  /// Takes a random part of the records. Its size is random too: on average it is `fraction` of all
  /// records.
  ///
  /// @param fraction without replacement, the probability that a record is taken, from 0 to 1; with
  ///     replacement, how often each record is taken on average
  /// @param seed the same seed gives the same sample of the same partitions
  public RDD<T> sample(boolean withReplacement, double fraction, long seed) {
    return Sampling.sample(this, withReplacement, fraction, seed);
  }

  /// Same, with a random seed.
  public final List<RDD<T>> randomSplit(double[] weights) {
    return randomSplit(weights, ThreadLocalRandom.current().nextLong());
  }

  /// Deals the records out at random to as many RDDs as there are weights. Each record goes to one
  /// of them. This RDD must give the same records in the same order each time that it is computed.
  /// Persist it if it might not.
  ///
  /// @param weights are finite and not negative; their sum counts as 1
  public final List<RDD<T>> randomSplit(double[] weights, long seed) {
    return Sampling.randomSplit(this, weights, seed);
  }

  /// Same, with a random seed.
  public final List<T> takeSample(boolean withReplacement, int count) {
    return takeSample(withReplacement, count, ThreadLocalRandom.current().nextLong());
  }

  /// Action: returns `count` random records in random order. Without replacement, it returns all
  /// records if there are fewer. It first counts the records and then samples them, again if the
  /// sample was too small.
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

  /// Keeps each partition where `level` says, from the time when it is first computed. Computes
  /// nothing now.
  ///
  /// @throws KilnException `STORAGE_LEVEL_ASSIGNED` if this RDD has another level already
  public RDD<T> persist(StorageLevel level) {
    context().persisted(node(), Arguments.present(level, "persist", "storage level"));
    return this;
  }

  /// Same as `unpersist(false)`.
  public RDD<T> unpersist() {
    return unpersist(false);
  }

  /// Drops the partitions that [#persist] kept. Later jobs compute them again.
  ///
  /// @param blocking whether to wait until all of them are dropped
  public RDD<T> unpersist(boolean blocking) {
    context().unpersisted(node(), blocking);
    return this;
  }

  /// Asks for a checkpoint: the first job that computes this RDD is followed by one that writes the
  /// records to the checkpoint directory. After that the RDD forgets what it was computed from. The
  /// records are computed once more for the checkpoint, unless you persist the RDD.
  ///
  /// @throws KilnException `CHECKPOINT_DIRECTORY_MISSING` if the context has none
  public final void checkpoint() {
    context().checkpoints().markReliable(node());
  }

  /// Asks for a local checkpoint: after the first job that computes this RDD, the executors keep
  /// the records, and the RDD forgets what it was computed from. That is fast and not safe: if an
  /// executor is lost, its records are lost too.
  public RDD<T> localCheckpoint() {
    context().checkpoints().markLocal(node());
    return this;
  }

  /// Gives this RDD a name for logs and for the UI.
  public RDD<T> setName(String newName) {
    rename(newName);
    return this;
  }

  // ---- actions: all records -----------------------------------------------------------------

  /// Action: returns all records, in the order of the partitions. They are held in the driver's
  /// memory.
  public final List<T> collect() {
    return Actions.collect(this);
  }

  /// Action: returns the records of some partitions, with one list for each partition.
  public final List<List<T>> collectPartitions(int... partitionIds) {
    return context().runJob(this, (_, records) -> Actions.toList(records), partitionIds);
  }

  /// Returns an iterator over all records. When it reaches a partition, it runs a job that fetches
  /// the partition, so the driver holds one partition at a time. Persist the RDD first if it is
  /// costly to compute.
  public final Iterator<T> toLocalIterator() {
    return toLocalIterator(false);
  }

  /// @param prefetch whether the next partition is computed while one is used
  public final Iterator<T> toLocalIterator(boolean prefetch) {
    return Actions.toLocalIterator(this, prefetch);
  }

  /// Action: returns how many records there are.
  public final long count() {
    return Actions.count(this);
  }

  /// Action: returns how often each record occurs. The map is held in the driver's memory. Records
  /// are found equal as keys are ([PairRDD]).
  public final Map<T, Long> countByValue() {
    return Actions.countByValue(this);
  }

  /// Action: runs `action` on every record, in the tasks.
  public final void foreach(Consumer<? super T> action) {
    check(action, "foreach");
    Actions.foreach(this, action);
  }

  /// Action: runs `action` once for each partition, in the tasks.
  public final void foreachPartition(Consumer<Iterator<T>> action) {
    check(action, "foreachPartition");
    Actions.foreachPartition(this, action);
  }

  // ---- actions: a few records ---------------------------------------------------------------

  /// Action: returns the first record of the first partition that has one.
  ///
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T first() {
    return Actions.first(this);
  }

  /// Action: returns the first `count` records. It looks at one partition first. While there are
  /// too few records, it looks at more partitions, up to four times as many each time.
  public final List<T> take(int count) {
    return Actions.take(this, count);
  }

  /// Action: returns the `count` largest records, in descending natural order.
  public final List<T> top(int count) {
    return top(count, Actions.<T>naturalOrder());
  }

  /// Action: returns the `count` largest records by `order`, in descending order. Each task keeps
  /// that many.
  ///
  /// @param order is serialisable
  public final List<T> top(int count, Comparator<? super T> order) {
    check(order, "top");
    return Actions.takeOrdered(this, count, order.reversed());
  }

  /// Same, for a lambda.
  public final List<T> top(int count, SerializableComparator<? super T> order) {
    return top(count, (Comparator<? super T>) order);
  }

  /// Action: returns the `count` smallest records, in ascending natural order.
  public final List<T> takeOrdered(int count) {
    return takeOrdered(count, Actions.<T>naturalOrder());
  }

  /// Action: returns the `count` smallest records by `order`, in ascending order. Each task keeps
  /// that many.
  ///
  /// @param order is serialisable
  public final List<T> takeOrdered(int count, Comparator<? super T> order) {
    check(order, "takeOrdered");
    return Actions.takeOrdered(this, count, order);
  }

  /// Same, for a lambda.
  public final List<T> takeOrdered(int count, SerializableComparator<? super T> order) {
    return takeOrdered(count, (Comparator<? super T>) order);
  }

  /// Action: returns the largest record; of equal ones, the first.
  ///
  /// @param order is serialisable
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T max(Comparator<? super T> order) {
    check(order, "max");
    return Actions.reduce(this, (a, b) -> order.compare(a, b) >= 0 ? a : b, "max");
  }

  /// Same, for a lambda.
  public final T max(SerializableComparator<? super T> order) {
    return max((Comparator<? super T>) order);
  }

  /// Action: returns the smallest record; of equal ones, the first.
  ///
  /// @param order is serialisable
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T min(Comparator<? super T> order) {
    check(order, "min");
    return Actions.reduce(this, (a, b) -> order.compare(a, b) <= 0 ? a : b, "min");
  }

  /// Same, for a lambda.
  public final T min(SerializableComparator<? super T> order) {
    return min((Comparator<? super T>) order);
  }

  /// Action: returns whether there is no record. It looks at as few partitions as [#take] does.
  public final boolean isEmpty() {
    return numPartitions() == 0 || take(1).isEmpty();
  }

  // ---- actions: one value of all ------------------------------------------------------------

  /// Action: makes one record of all records, by `function`. It goes from left to right in each
  /// partition, and then from partition to partition.
  ///
  /// @param function is associative
  /// @throws KilnException `EMPTY_RDD` if there is none
  public final T reduce(BinaryOperator<T> function) {
    check(function, "reduce");
    return Actions.reduce(this, function, "reduce");
  }

  /// Same as [#reduce], but `2` levels of tasks join the partitions' results, rather than the
  /// driver alone.
  public final T treeReduce(BinaryOperator<T> function) {
    return treeReduce(function, 2);
  }

  /// @param depth how many levels there are, at least 1
  public final T treeReduce(BinaryOperator<T> function, int depth) {
    check(function, "treeReduce");
    return Trees.reduce(this, function, depth);
  }

  /// Action: adds all records to `zero`. Each partition starts with a copy of `zero`, and so does
  /// the joining of their results, so adding `zero` must not change a sum. Returns `zero` if there
  /// are no records.
  ///
  /// @param function is associative, and may change and return its first argument
  public final T fold(T zero, BinaryOperator<T> function) {
    check(function, "fold");
    return Actions.aggregate(this, ZeroValue.of(zero, "fold"), function, function);
  }

  /// Action: adds the records of each partition to `zero` by `add`, and joins the partitions'
  /// results by `join`. Each partition starts with a copy of `zero`, and so does the joining.
  /// Returns `zero` if there are no records.
  ///
  /// @param add adds a record, and may change and return its first argument
  /// @param join is associative, and may change and return its first argument
  public final <U> U aggregate(U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join) {
    check(add, "aggregate");
    check(join, "aggregate");
    return Actions.aggregate(this, ZeroValue.of(zero, "aggregate"), add, join);
  }

  /// Same as [#aggregate], but `2` levels of tasks join the partitions' results.
  public final <U> U treeAggregate(
      U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join) {
    return treeAggregate(zero, add, join, 2);
  }

  /// @param depth how many levels there are, at least 1
  public final <U> U treeAggregate(
      U zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join, int depth) {
    check(add, "treeAggregate");
    check(join, "treeAggregate");
    return Trees.aggregate(this, ZeroValue.of(zero, "treeAggregate"), add, join, depth);
  }

  // ---- actions: estimates -------------------------------------------------------------------

  /// Same, with confidence 0.95.
  public final PartialResult<BoundedDouble> countApprox(long timeoutMillis) {
    return countApprox(timeoutMillis, 0.95);
  }

  /// Action: estimates the number of records from the partitions that are done when the time is up.
  ///
  /// @param confidence how probable it is that the interval holds the number, from 0 to 1
  public final PartialResult<BoundedDouble> countApprox(long timeoutMillis, double confidence) {
    return Approximations.count(this, timeoutMillis, confidence);
  }

  /// Same, with confidence 0.95.
  public final PartialResult<Map<T, BoundedDouble>> countByValueApprox(long timeoutMillis) {
    return countByValueApprox(timeoutMillis, 0.95);
  }

  /// Action: estimates how often each record occurs, from the partitions that are done when the
  /// time is up.
  public final PartialResult<Map<T, BoundedDouble>> countByValueApprox(
      long timeoutMillis, double confidence) {
    return Approximations.countByValue(this, timeoutMillis, confidence);
  }

  /// Same, with a relative deviation of 0.05.
  public final long countApproxDistinct() {
    return countApproxDistinct(0.05);
  }

  /// Action: returns about how many different records there are, by HyperLogLog. It needs one pass,
  /// and a few KiB in each task. A small number of different records is counted exactly.
  ///
  /// @param relativeDeviation the standard deviation that you want, as a part of the number; at
  ///     least 0.00003. The memory grows with its inverse square
  public final long countApproxDistinct(double relativeDeviation) {
    return Approximations.countDistinct(this, relativeDeviation);
  }

  // ---- actions: files -----------------------------------------------------------------------

  /// Action: writes one line for each record (its `toString`), and one file for each partition.
  ///
  /// @param path names a directory that isn't there yet
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

  /// Action: writes the records serialised. [KilnContext#objectFile] reads them.
  ///
  /// @param path names a directory that isn't there yet
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

  /// [#take], as a future. Its jobs run one after the other.
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

  /// Returns the lineage as text, with one line for each RDD: its partitions, kind and name, where
  /// it was made and where it is kept. The RDDs before a shuffle are indented.
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
