package io.kiln.api;

import io.kiln.api.function.BiFunction;
import io.kiln.api.function.BinaryOperator;
import io.kiln.api.function.FlatMapFunction;
import io.kiln.api.function.Function;
import io.kiln.api.function.Predicate;
import io.kiln.api.function.SerializableComparator;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// An RDD of keys and values, with the operations that go by key.
///
/// It is a view of another RDD, under a type that has these operations. In every other way it
/// stands for that RDD: it has the same id, partitions, partitioner and persistence.
///
/// **Moving data.** An operation by key moves data, unless this RDD is already partitioned as the
/// result is to be. It moves all pairs, or what is left of them after the tasks have combined them.
///
/// **Keys** are equal by `equals` and `hashCode`. Enums are equal by name (see [HashPartitioner]).
/// An array can't be a key, and neither can an object of a class without a `hashCode` of its own.
///
/// **Partitioner.** A call may name neither a partitioner nor a number of partitions. Then the
/// operation takes the largest partitioner of its inputs, if that has enough partitions, or else a
/// [HashPartitioner] with the default number (see [RDD]).
public final class PairRDD<K, V> extends RDD<Pair<K, V>> {

  private PairRDD(RDD<Pair<K, V>> source) {
    super(source);
  }

  /// Makes a view of an RDD of pairs.
  public static <K, V> PairRDD<K, V> from(RDD<Pair<K, V>> pairs) {
    return pairs instanceof PairRDD<K, V> already ? already : new PairRDD<>(pairs);
  }

  // ---- the view -----------------------------------------------------------------------------

  @Override
  protected List<? extends Partition> computePartitions() {
    return node().partitions();
  }

  @Override
  public Iterator<Pair<K, V>> compute(Partition split, TaskContext task) throws Exception {
    return node().computeOrRestore(split, task);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super Pair<K, V>> sink)
      throws Exception {
    node().pushOrRestore(split, task, sink);
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return node().partitioner();
  }

  private void check(Object function, String operation) {
    context()
        .engine()
        .checkSerializable(Arguments.present(function, operation, "argument"), operation);
  }

  private Partitioner byDefault() {
    return PairShuffles.defaultPartitioner(this);
  }

  // ---- keys and values ----------------------------------------------------------------------

  /// Makes an RDD of the keys, in order, duplicates included.
  public RDD<K> keys() {
    return new MapRDD<>(this, Pair::key, false);
  }

  /// Makes an RDD of the values, in order.
  public RDD<V> values() {
    return new MapRDD<>(this, Pair::value, false);
  }

  /// Makes one value of each value, by `function`. The keys and the partitioner are kept.
  public <U> PairRDD<K, U> mapValues(Function<? super V, ? extends U> function) {
    check(function, "mapValues");
    return from(
        new MapRDD<Pair<K, V>, Pair<K, U>>(
            this, pair -> new Pair<>(pair.key(), function.apply(pair.value())), true));
  }

  /// Makes any number of values of each value, by `function`. They have the same key, and the
  /// partitioner is kept.
  public <U> PairRDD<K, U> flatMapValues(FlatMapFunction<? super V, U> function) {
    check(function, "flatMapValues");
    return from(
        new FlatMapRDD<Pair<K, V>, Pair<K, U>>(
            this, pair -> new KeyedIterator<K, U>(pair.key(), function.apply(pair.value())), true));
  }

  private record KeyedIterator<K, U>(K key, Iterator<? extends U> values)
      implements Iterator<Pair<K, U>> {

    @Override
    public boolean hasNext() {
      return values.hasNext();
    }

    @Override
    public Pair<K, U> next() {
      return new Pair<>(key, values.next());
    }
  }

  // ---- placing and sorting ------------------------------------------------------------------

  /// Places the pairs by `partitioner`. Moves data unless they are placed so already.
  public PairRDD<K, V> partitionBy(Partitioner partitioner) {
    return PairShuffles.partitionBy(node(), partitioner);
  }

  /// Same as [#partitionBy], but also sorts each partition by key, which is cheaper than sorting
  /// afterwards. Keys need a natural order.
  public PairRDD<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner) {
    return PairShuffles.sortWithin(node(), partitioner, Actions.<K>naturalOrder());
  }

  /// @param order of the keys; it must be serialisable
  public PairRDD<K, V> repartitionAndSortWithinPartitions(
      Partitioner partitioner, Comparator<? super K> order) {
    check(order, "repartitionAndSortWithinPartitions");
    return PairShuffles.sortWithin(node(), partitioner, order);
  }

  /// Same, for a lambda.
  public PairRDD<K, V> repartitionAndSortWithinPartitions(
      Partitioner partitioner, SerializableComparator<? super K> order) {
    return repartitionAndSortWithinPartitions(partitioner, (Comparator<? super K>) order);
  }

  /// Sorts the pairs in ascending natural order of their keys. See [#sortByKey(Comparator, int)].
  public PairRDD<K, V> sortByKey() {
    return sortByKey(true);
  }

  /// Sorts the pairs in the natural order of their keys, or in its reverse.
  public PairRDD<K, V> sortByKey(boolean ascending) {
    return sortByKey(ascending, numPartitions());
  }

  /// @param numPartitions how many partitions the result has at most. It has fewer if there are
  ///     fewer distinct keys
  public PairRDD<K, V> sortByKey(boolean ascending, int numPartitions) {
    Comparator<K> natural = Actions.naturalOrder();
    return sortByKey(ascending ? natural : natural.reversed(), numPartitions);
  }

  /// Sorts the pairs in the order of their keys.
  public PairRDD<K, V> sortByKey(Comparator<? super K> order) {
    return sortByKey(order, numPartitions());
  }

  /// Same, for a lambda.
  public PairRDD<K, V> sortByKey(SerializableComparator<? super K> order) {
    return sortByKey((Comparator<? super K>) order);
  }

  /// Sorts the pairs in the order of their keys. Each partition is sorted, and its pairs come
  /// before those of the next partition. Pairs of equal keys are in no particular order. Moves
  /// data. If the result has more than one partition, the call runs a job that goes over all keys
  /// to sample them.
  ///
  /// @param order is serialisable
  /// @param numPartitions how many partitions the result has at most. It has fewer if there are
  ///     fewer distinct keys
  public PairRDD<K, V> sortByKey(Comparator<? super K> order, int numPartitions) {
    check(order, "sortByKey");
    return PairShuffles.sortWithin(
        node(), RangePartitioner.sampling(this, numPartitions, order), order);
  }

  /// Same, for a lambda.
  public PairRDD<K, V> sortByKey(SerializableComparator<? super K> order, int numPartitions) {
    return sortByKey((Comparator<? super K>) order, numPartitions);
  }

  /// Keeps the pairs whose keys are from `lower` to `upper`, both included, in the natural order of
  /// keys. If a [RangePartitioner] has placed the pairs in that order, partitions without such keys
  /// are not computed. A key that is `null` fails the job, as it has no place in that order.
  public PairRDD<K, V> filterByRange(K lower, K upper) {
    return Ranges.filter(this, lower, upper, Actions.<K>naturalOrder());
  }

  /// @param order of the keys; it must be serialisable
  public PairRDD<K, V> filterByRange(K lower, K upper, Comparator<? super K> order) {
    check(order, "filterByRange");
    return Ranges.filter(this, lower, upper, order);
  }

  // ---- the values of a key made one ---------------------------------------------------------

  /// Combines the values of each key. The tasks combine before data moves.
  ///
  /// @param createCombiner makes a combiner of the first value of a key
  /// @param mergeValue adds a value to a combiner, and may change and return its first argument
  /// @param mergeCombiners joins two combiners, and may change and return its first argument
  public <C> PairRDD<K, C> combineByKey(
      Function<? super V, ? extends C> createCombiner,
      BiFunction<C, ? super V, C> mergeValue,
      BinaryOperator<C> mergeCombiners) {
    return combineByKey(createCombiner, mergeValue, mergeCombiners, byDefault());
  }

  /// @param numPartitions of the result
  public <C> PairRDD<K, C> combineByKey(
      Function<? super V, ? extends C> createCombiner,
      BiFunction<C, ? super V, C> mergeValue,
      BinaryOperator<C> mergeCombiners,
      int numPartitions) {
    return combineByKey(
        createCombiner, mergeValue, mergeCombiners, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <C> PairRDD<K, C> combineByKey(
      Function<? super V, ? extends C> createCombiner,
      BiFunction<C, ? super V, C> mergeValue,
      BinaryOperator<C> mergeCombiners,
      Partitioner partitioner) {
    return combineByKey(createCombiner, mergeValue, mergeCombiners, partitioner, true);
  }

  /// @param mapSideCombine whether tasks combine before data moves. That is not worth it if a
  ///     combiner is as large as its values together
  public <C> PairRDD<K, C> combineByKey(
      Function<? super V, ? extends C> createCombiner,
      BiFunction<C, ? super V, C> mergeValue,
      BinaryOperator<C> mergeCombiners,
      Partitioner partitioner,
      boolean mapSideCombine) {
    check(createCombiner, "combineByKey");
    check(mergeValue, "combineByKey");
    check(mergeCombiners, "combineByKey");
    return PairShuffles.combine(
        node(),
        new Aggregator<V, C>(createCombiner, mergeValue, mergeCombiners),
        partitioner,
        mapSideCombine);
  }

  /// Makes one value of all values of a key, by `function`. The tasks combine before data moves.
  ///
  /// @param function is associative and commutative
  public PairRDD<K, V> reduceByKey(BinaryOperator<V> function) {
    return reduceByKey(byDefault(), function);
  }

  /// @param numPartitions of the result
  public PairRDD<K, V> reduceByKey(BinaryOperator<V> function, int numPartitions) {
    return reduceByKey(new HashPartitioner(numPartitions), function);
  }

  /// @param partitioner of the result
  public PairRDD<K, V> reduceByKey(Partitioner partitioner, BinaryOperator<V> function) {
    check(function, "reduceByKey");
    return PairShuffles.combine(
        node(), new Aggregator<V, V>(v -> v, function, function), partitioner, true);
  }

  /// Action: same as [#reduceByKey], but returns a map in the driver's memory. The tasks combine,
  /// and the driver joins their results, without a shuffle.
  public Map<K, V> reduceByKeyLocally(BinaryOperator<V> function) {
    check(function, "reduceByKeyLocally");
    return PairActions.reduceLocally(this, function);
  }

  /// Adds the values of each key to `zero`. The tasks combine before data moves.
  ///
  /// @param zero is where the sum starts: each key, in each partition, has a copy of its own
  /// @param function is associative and commutative, and may change and return its first argument
  public PairRDD<K, V> foldByKey(V zero, BinaryOperator<V> function) {
    return foldByKey(zero, byDefault(), function);
  }

  /// @param numPartitions of the result
  public PairRDD<K, V> foldByKey(V zero, int numPartitions, BinaryOperator<V> function) {
    return foldByKey(zero, new HashPartitioner(numPartitions), function);
  }

  /// @param partitioner of the result
  public PairRDD<K, V> foldByKey(V zero, Partitioner partitioner, BinaryOperator<V> function) {
    check(function, "foldByKey");
    ZeroValue<V> start = ZeroValue.of(zero, "foldByKey");
    return PairShuffles.combine(
        node(),
        new Aggregator<V, V>(v -> function.apply(start.fresh(), v), function, function),
        partitioner,
        true);
  }

  /// Adds the values of each key to `zero` by `add`, and joins the partitions' sums by `join`. The
  /// tasks combine before data moves.
  ///
  /// @param zero is where the sum starts: each key, in each partition, has a copy of its own
  /// @param add adds a value, and may change and return its first argument
  /// @param join is associative and commutative, and may change and return its first argument
  public <U> PairRDD<K, U> aggregateByKey(
      U zero, BiFunction<U, ? super V, U> add, BinaryOperator<U> join) {
    return aggregateByKey(zero, byDefault(), add, join);
  }

  /// @param numPartitions of the result
  public <U> PairRDD<K, U> aggregateByKey(
      U zero, int numPartitions, BiFunction<U, ? super V, U> add, BinaryOperator<U> join) {
    return aggregateByKey(zero, new HashPartitioner(numPartitions), add, join);
  }

  /// @param partitioner of the result
  public <U> PairRDD<K, U> aggregateByKey(
      U zero, Partitioner partitioner, BiFunction<U, ? super V, U> add, BinaryOperator<U> join) {
    check(add, "aggregateByKey");
    check(join, "aggregateByKey");
    ZeroValue<U> start = ZeroValue.of(zero, "aggregateByKey");
    return PairShuffles.combine(
        node(),
        new Aggregator<V, U>(v -> add.apply(start.fresh(), v), add, join),
        partitioner,
        true);
  }

  /// Makes a pair of each key and about how many different values it has, by HyperLogLog.
  ///
  /// @param relativeDeviation see [RDD#countApproxDistinct]
  public PairRDD<K, Long> countApproxDistinctByKey(double relativeDeviation) {
    return countApproxDistinctByKey(relativeDeviation, byDefault());
  }

  /// @param numPartitions of the result
  public PairRDD<K, Long> countApproxDistinctByKey(double relativeDeviation, int numPartitions) {
    return countApproxDistinctByKey(relativeDeviation, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public PairRDD<K, Long> countApproxDistinctByKey(
      double relativeDeviation, Partitioner partitioner) {
    int precision = HyperLogLog.precisionFor(relativeDeviation);
    return PairShuffles.combine(
            node(),
            new Aggregator<V, HyperLogLog>(
                v -> new HyperLogLog(precision).add(v), HyperLogLog::add, HyperLogLog::merge),
            partitioner,
            true)
        .mapValues(HyperLogLog::estimate);
  }

  // ---- groups and joins ---------------------------------------------------------------------

  /// Groups the values of each key, in no particular order. Moves all pairs. The whole group of a
  /// key is held in memory. To sum up groups, [#aggregateByKey] and [#reduceByKey] move less.
  public PairRDD<K, Iterable<V>> groupByKey() {
    return groupByKey(byDefault());
  }

  /// @param numPartitions of the result
  public PairRDD<K, Iterable<V>> groupByKey(int numPartitions) {
    return groupByKey(new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public PairRDD<K, Iterable<V>> groupByKey(Partitioner partitioner) {
    return Joins.group(node(), partitioner);
  }

  /// Makes a pair of each key of this RDD or of `other`, and its values in both; those of one may
  /// be empty. Moves the pairs that are not yet placed as the result is.
  public <W> PairRDD<K, Pair<Iterable<V>, Iterable<W>>> cogroup(RDD<Pair<K, W>> other) {
    return cogroup(other, PairShuffles.defaultPartitioner(this, other));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, Pair<Iterable<V>, Iterable<W>>> cogroup(
      RDD<Pair<K, W>> other, int numPartitions) {
    return cogroup(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, Pair<Iterable<V>, Iterable<W>>> cogroup(
      RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.cogroup(this, other, partitioner);
  }

  /// Same, for three RDDs.
  public <W, X> PairRDD<K, Triple<Iterable<V>, Iterable<W>, Iterable<X>>> cogroup(
      RDD<Pair<K, W>> second, RDD<Pair<K, X>> third) {
    return cogroup(second, third, PairShuffles.defaultPartitioner(this, second, third));
  }

  /// @param numPartitions of the result
  public <W, X> PairRDD<K, Triple<Iterable<V>, Iterable<W>, Iterable<X>>> cogroup(
      RDD<Pair<K, W>> second, RDD<Pair<K, X>> third, int numPartitions) {
    return cogroup(second, third, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W, X> PairRDD<K, Triple<Iterable<V>, Iterable<W>, Iterable<X>>> cogroup(
      RDD<Pair<K, W>> second, RDD<Pair<K, X>> third, Partitioner partitioner) {
    return Joins.cogroup(this, second, third, partitioner);
  }

  /// Same, for four RDDs.
  public <W, X, Y> PairRDD<K, Quad<Iterable<V>, Iterable<W>, Iterable<X>, Iterable<Y>>> cogroup(
      RDD<Pair<K, W>> second, RDD<Pair<K, X>> third, RDD<Pair<K, Y>> fourth) {
    return cogroup(
        second, third, fourth, PairShuffles.defaultPartitioner(this, second, third, fourth));
  }

  /// @param numPartitions of the result
  public <W, X, Y> PairRDD<K, Quad<Iterable<V>, Iterable<W>, Iterable<X>, Iterable<Y>>> cogroup(
      RDD<Pair<K, W>> second, RDD<Pair<K, X>> third, RDD<Pair<K, Y>> fourth, int numPartitions) {
    return cogroup(second, third, fourth, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W, X, Y> PairRDD<K, Quad<Iterable<V>, Iterable<W>, Iterable<X>, Iterable<Y>>> cogroup(
      RDD<Pair<K, W>> second,
      RDD<Pair<K, X>> third,
      RDD<Pair<K, Y>> fourth,
      Partitioner partitioner) {
    return Joins.cogroup(this, second, third, fourth, partitioner);
  }

  /// For each key that both RDDs have, pairs every value of this RDD with every value of `other`.
  /// Moves the pairs that are not yet placed as the result is. The values of a key are held in
  /// memory.
  public <W> PairRDD<K, Pair<V, W>> join(RDD<Pair<K, W>> other) {
    return join(other, PairShuffles.defaultPartitioner(this, other));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, Pair<V, W>> join(RDD<Pair<K, W>> other, int numPartitions) {
    return join(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, Pair<V, W>> join(RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.inner(this, other, partitioner);
  }

  /// Same as [#join], but also keeps each pair whose key is not in `other`, once, with an empty
  /// value.
  public <W> PairRDD<K, Pair<V, Optional<W>>> leftOuterJoin(RDD<Pair<K, W>> other) {
    return leftOuterJoin(other, PairShuffles.defaultPartitioner(this, other));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, Pair<V, Optional<W>>> leftOuterJoin(
      RDD<Pair<K, W>> other, int numPartitions) {
    return leftOuterJoin(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, Pair<V, Optional<W>>> leftOuterJoin(
      RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.left(this, other, partitioner);
  }

  /// Same as [#join], but also keeps each pair of `other` whose key is not in this RDD, once, with
  /// an empty value.
  public <W> PairRDD<K, Pair<Optional<V>, W>> rightOuterJoin(RDD<Pair<K, W>> other) {
    return rightOuterJoin(other, PairShuffles.defaultPartitioner(this, other));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, Pair<Optional<V>, W>> rightOuterJoin(
      RDD<Pair<K, W>> other, int numPartitions) {
    return rightOuterJoin(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, Pair<Optional<V>, W>> rightOuterJoin(
      RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.right(this, other, partitioner);
  }

  /// Same as [#join], but also keeps each pair whose key is in one of the RDDs only, once, with an
  /// empty value.
  public <W> PairRDD<K, Pair<Optional<V>, Optional<W>>> fullOuterJoin(RDD<Pair<K, W>> other) {
    return fullOuterJoin(other, PairShuffles.defaultPartitioner(this, other));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, Pair<Optional<V>, Optional<W>>> fullOuterJoin(
      RDD<Pair<K, W>> other, int numPartitions) {
    return fullOuterJoin(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, Pair<Optional<V>, Optional<W>>> fullOuterJoin(
      RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.full(this, other, partitioner);
  }

  /// Keeps the pairs whose keys are not in `other`. The result is placed as this RDD is, or else by
  /// hash in as many partitions. Moves the pairs that are not yet placed so.
  public <W> PairRDD<K, V> subtractByKey(RDD<Pair<K, W>> other) {
    return subtractByKey(
        other, partitioner().orElseGet(() -> HashPartitioner.forInput(numPartitions())));
  }

  /// @param numPartitions of the result
  public <W> PairRDD<K, V> subtractByKey(RDD<Pair<K, W>> other, int numPartitions) {
    return subtractByKey(other, new HashPartitioner(numPartitions));
  }

  /// @param partitioner of the result
  public <W> PairRDD<K, V> subtractByKey(RDD<Pair<K, W>> other, Partitioner partitioner) {
    return Joins.subtract(this, other, partitioner);
  }

  // ---- samples by key -----------------------------------------------------------------------

  /// Same, with a random seed.
  public PairRDD<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions) {
    return sampleByKey(withReplacement, fractions, ThreadLocalRandom.current().nextLong());
  }

  /// Takes a random part of the pairs of each key. Its size is random too.
  ///
  /// @param fractions the fraction of each key, as in [RDD#sample]; each key of this RDD needs one
  /// @param seed the same seed gives the same sample of the same partitions
  public PairRDD<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions, long seed) {
    return Sampling.byKey(this, withReplacement, fractions, seed);
  }

  /// Same, with a random seed.
  public PairRDD<K, V> sampleByKeyExact(boolean withReplacement, Map<K, Double> fractions) {
    return sampleByKeyExact(withReplacement, fractions, ThreadLocalRandom.current().nextLong());
  }

  /// Takes exactly `ceil(fraction * pairs of the key)` random pairs of each key; each key needs a
  /// fraction. The call runs a job that counts the pairs. This RDD must give the same records in
  /// the same order each time that it is computed.
  public PairRDD<K, V> sampleByKeyExact(
      boolean withReplacement, Map<K, Double> fractions, long seed) {
    return Sampling.byKeyExact(this, withReplacement, fractions, seed);
  }

  // ---- actions ------------------------------------------------------------------------------

  /// Action: returns how many pairs each key has. The map is held in the driver's memory.
  public Map<K, Long> countByKey() {
    return PairActions.countByKey(this);
  }

  /// Same, with confidence 0.95.
  public PartialResult<Map<K, BoundedDouble>> countByKeyApprox(long timeoutMillis) {
    return countByKeyApprox(timeoutMillis, 0.95);
  }

  /// Action: estimates how many pairs each key has, from the partitions that are done when the time
  /// is up.
  public PartialResult<Map<K, BoundedDouble>> countByKeyApprox(
      long timeoutMillis, double confidence) {
    return keys().countByValueApprox(timeoutMillis, confidence);
  }

  /// Action: returns the pairs as a map in the driver's memory. Of pairs with equal keys, the last
  /// is kept.
  public Map<K, V> collectAsMap() {
    return PairActions.collectAsMap(this);
  }

  /// Action: returns the values of a key. If this RDD has a partitioner, only the key's partition
  /// is computed.
  public List<V> lookup(K key) {
    return PairActions.lookup(this, key);
  }

  // ---- operations of RDD that keep pairs ----------------------------------------------------

  @Override
  public PairRDD<K, V> filter(Predicate<? super Pair<K, V>> predicate) {
    return from(super.filter(predicate));
  }

  @Override
  public PairRDD<K, V> union(RDD<Pair<K, V>> other) {
    return from(super.union(other));
  }

  @Override
  public PairRDD<K, V> intersection(RDD<Pair<K, V>> other) {
    return from(super.intersection(other));
  }

  @Override
  public PairRDD<K, V> intersection(RDD<Pair<K, V>> other, int numPartitions) {
    return from(super.intersection(other, numPartitions));
  }

  @Override
  public PairRDD<K, V> intersection(RDD<Pair<K, V>> other, Partitioner partitioner) {
    return from(super.intersection(other, partitioner));
  }

  @Override
  public PairRDD<K, V> subtract(RDD<Pair<K, V>> other) {
    return from(super.subtract(other));
  }

  @Override
  public PairRDD<K, V> subtract(RDD<Pair<K, V>> other, int numPartitions) {
    return from(super.subtract(other, numPartitions));
  }

  @Override
  public PairRDD<K, V> subtract(RDD<Pair<K, V>> other, Partitioner partitioner) {
    return from(super.subtract(other, partitioner));
  }

  @Override
  public PairRDD<K, V> distinct() {
    return from(super.distinct());
  }

  @Override
  public PairRDD<K, V> distinct(int numPartitions) {
    return from(super.distinct(numPartitions));
  }

  @Override
  public <S extends Comparable<? super S>> PairRDD<K, V> sortBy(
      Function<? super Pair<K, V>, S> key) {
    return from(super.sortBy(key));
  }

  @Override
  public <S extends Comparable<? super S>> PairRDD<K, V> sortBy(
      Function<? super Pair<K, V>, S> key, boolean ascending, int numPartitions) {
    return from(super.sortBy(key, ascending, numPartitions));
  }

  @Override
  public <S> PairRDD<K, V> sortBy(
      Function<? super Pair<K, V>, S> key, Comparator<? super S> order, int numPartitions) {
    return from(super.sortBy(key, order, numPartitions));
  }

  @Override
  public PairRDD<K, V> coalesce(int numPartitions) {
    return from(super.coalesce(numPartitions));
  }

  @Override
  public PairRDD<K, V> coalesce(int numPartitions, boolean shuffle) {
    return from(super.coalesce(numPartitions, shuffle));
  }

  @Override
  public PairRDD<K, V> repartition(int numPartitions) {
    return from(super.repartition(numPartitions));
  }

  @Override
  public PairRDD<K, V> sample(boolean withReplacement, double fraction) {
    return from(super.sample(withReplacement, fraction));
  }

  @Override
  public PairRDD<K, V> sample(boolean withReplacement, double fraction, long seed) {
    return from(super.sample(withReplacement, fraction, seed));
  }

  @Override
  public PairRDD<K, V> cache() {
    super.cache();
    return this;
  }

  @Override
  public PairRDD<K, V> persist() {
    super.persist();
    return this;
  }

  @Override
  public PairRDD<K, V> persist(StorageLevel level) {
    super.persist(level);
    return this;
  }

  @Override
  public PairRDD<K, V> unpersist() {
    super.unpersist();
    return this;
  }

  @Override
  public PairRDD<K, V> unpersist(boolean blocking) {
    super.unpersist(blocking);
    return this;
  }

  @Override
  public PairRDD<K, V> localCheckpoint() {
    super.localCheckpoint();
    return this;
  }

  @Override
  public PairRDD<K, V> setName(String newName) {
    super.setName(newName);
    return this;
  }
}
