package io.kiln.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kiln.api.function.BinaryOperator;
import io.kiln.api.function.Function;
import io.kiln.api.reference.ReferenceEngineProvider;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Arguments that make no sense fail at the call; values at the edge of what numbers hold don't
/// fail.
class MistakesTest {
  private static final KilnContext CONTEXT = ReferenceEngineProvider.newContext();

  private final RDD<Integer> numbers = CONTEXT.parallelize(List.of(3, 1, 2), 3);
  private final PairRDD<Integer, String> pairs = numbers.mapToPair(i -> Pair.of(i, "v" + i));

  private static void assertRefused(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfAny(KilnException.class, IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void nothingIsTakenForSomething() {
    String textFile = null;
    List<ThrowingCallable> calls =
        List.of(
            () -> CONTEXT.textFile(textFile),
            () -> CONTEXT.wholeTextFiles(textFile),
            () -> CONTEXT.binaryFiles(textFile),
            () -> CONTEXT.binaryRecords(textFile, 4),
            () -> CONTEXT.objectFile(textFile),
            () -> CONTEXT.setCheckpointDir(textFile),
            () -> CONTEXT.addFile(textFile),
            () -> CONTEXT.addArchive(textFile),
            () -> CONTEXT.addJar(textFile),
            () -> CONTEXT.addListener(null),
            () -> CONTEXT.addJobTag(null),
            () -> CONTEXT.setLogLevel(null),
            () -> CONTEXT.setLocalProperty(null, "a"),
            () -> CONTEXT.register(null),
            () -> CONTEXT.parallelize(null),
            () -> CONTEXT.union(null),
            () -> numbers.saveAsTextFile(null),
            () -> numbers.saveAsTextFile("out", null),
            () -> numbers.saveAsObjectFile(null),
            () -> numbers.map(null),
            () -> numbers.filter(null),
            () -> numbers.mapPartitions(null),
            () -> numbers.pipe((String) null),
            () -> numbers.reduce(null),
            () -> numbers.foreach(null),
            () -> numbers.union(null),
            () -> numbers.intersection(null),
            () -> numbers.subtract(null),
            () -> numbers.cartesian(null),
            () -> numbers.zip(null),
            () -> numbers.persist(null),
            () -> numbers.sortBy((Function<Integer, Integer>) null),
            () -> numbers.randomSplit(null),
            () -> pairs.reduceByKey((BinaryOperator<String>) null),
            () -> pairs.partitionBy(null),
            () -> pairs.repartitionAndSortWithinPartitions(null),
            () -> pairs.groupByKey(null),
            () -> pairs.join(null),
            () -> pairs.cogroup(null),
            () -> pairs.leftOuterJoin(null, 2),
            () -> pairs.subtractByKey(null),
            () -> pairs.sampleByKey(false, null),
            () -> pairs.filterByRange(null, 2),
            () -> pairs.filterByRange(2, null),
            () -> numbers.mapToDouble(i -> i).histogram(null));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i)
          .isInstanceOf(KilnException.class)
          .hasMessageContaining("was given null");
    }
  }

  @Test
  void numbersOfPartitionsArePositive() {
    for (int number : new int[] {0, -5}) {
      assertRefused("" + number, () -> numbers.sortBy(i -> i, true, number));
      assertRefused("" + number, () -> pairs.sortByKey(true, number));
      assertRefused("" + number, () -> numbers.distinct(number));
      assertRefused("" + number, () -> numbers.coalesce(number));
      assertRefused("" + number, () -> numbers.repartition(number));
      assertRefused("" + number, () -> numbers.groupBy(i -> i, number));
      assertRefused("" + number, () -> numbers.intersection(numbers, number));
      assertRefused("" + number, () -> numbers.subtract(numbers, number));
      assertRefused("" + number, () -> pairs.reduceByKey((a, _) -> a, number));
      assertRefused("" + number, () -> pairs.join(pairs, number));
      assertRefused("" + number, () -> CONTEXT.parallelize(List.of(1), number));
      assertRefused("" + number, () -> CONTEXT.range(0, 1, 1, number));
    }
    assertThat(CONTEXT.<Integer>emptyRDD().sortBy(i -> i).collect()).isEmpty();
  }

  @Test
  void aHistogramHasNoMoreBucketsThanTheHeapCanHold() {
    DoubleRDD doubles = numbers.mapToDouble(i -> i);
    assertRefused("2147483647 buckets", () -> doubles.histogram(Integer.MAX_VALUE));
    assertThat(doubles.filter(d -> d == 1).histogram(Integer.MAX_VALUE).counts())
        .containsExactly(1);
  }

  @Test
  void nullHasAPlaceOnlyInAnOrderThatGivesItOne() {
    PairRDD<Integer, String> some =
        CONTEXT.parallelize(Arrays.asList(1, null, 3), 2).keyBy(i -> i).mapValues(i -> "v" + i);
    assertRefused("whose key is null", () -> some.filterByRange(1, 2).collect());
    assertThat(
            some.filterByRange(null, 2, Comparator.nullsFirst(Comparator.<Integer>naturalOrder()))
                .values()
                .collect())
        .containsExactly("v1", "vnull");
  }

  @Test
  void samplesNeedNumbersThatSaySomething() {
    for (double[] weights :
        new double[][] {
          {},
          {0},
          {-1, 2},
          {Double.NaN, 1},
          {Double.POSITIVE_INFINITY, 1},
          {Double.MAX_VALUE, Double.MAX_VALUE}
        }) {
      assertRefused("can't split by the weights", () -> numbers.randomSplit(weights));
    }
    for (boolean withReplacement : new boolean[] {false, true}) {
      assertRefused("the key '3'", () -> sampled(withReplacement, Map.of(1, .5, 2, .5)).collect());
      assertRefused(
          "the key '3'", () -> pairs.sampleByKeyExact(withReplacement, Map.of(1, .5, 2, .5)));
      Map<Integer, Double> without = new HashMap<>(Map.of(1, .5));
      without.put(2, null);
      assertRefused("was given null", () -> sampled(withReplacement, without));
      assertThat(sampled(withReplacement, Map.of(1, 0.0, 2, 0.0, 3, 0.0)).collect()).isEmpty();
    }
    assertRefused("-1 ms", () -> numbers.countApprox(-1));
  }

  private PairRDD<Integer, String> sampled(
      boolean withReplacement, Map<Integer, Double> fractions) {
    return pairs.sampleByKey(withReplacement, fractions, 7);
  }

  @Test
  void aKeyThatNoneIsEqualToIsNotLookedUp() {
    PairRDD<Object, Integer> keyed = numbers.mapToPair(i -> Pair.of((Object) i, i));
    assertRefused("no hashCode of its own", () -> keyed.lookup(new AtomicInteger(2)));
    assertRefused("an array", () -> keyed.lookup(new int[] {1}));
    assertThat(keyed.lookup(2)).containsExactly(2);
  }

  @Test
  void nullIsAZeroLikeAnyOther() {
    BinaryOperator<Integer> join = (a, b) -> a == null ? b : b == null ? a : (Integer) (a + b);
    for (int partitions : new int[] {1, 2, 40}) {
      RDD<Integer> few = CONTEXT.parallelize(List.of(1, 2), partitions);
      assertThat(few.aggregate((Integer) null, join, join)).isEqualTo(3);
      assertThat(few.fold(null, join)).isEqualTo(3);
      for (int depth = 1; depth < 4; depth++) {
        assertThat(few.treeAggregate((Integer) null, join, join, depth)).isEqualTo(3);
      }
      PairRDD<String, Integer> keyed = few.mapToPair(i -> Pair.of("a", i));
      assertThat(keyed.foldByKey(null, join).values().collect()).containsExactly(3);
      assertThat(keyed.aggregateByKey((Integer) null, join, join).values().collect())
          .containsExactly(3);
      assertThat(few.treeReduce((_, _) -> null)).isNull();
      assertThat(few.reduce((_, _) -> null)).isNull();
    }
  }

  @Test
  void aRddWithoutPartitions() {
    PairRDD<String, Integer> none = PairRDD.from(CONTEXT.<Pair<String, Integer>>emptyRDD());
    PairRDD<String, Integer> shuffled = none.reduceByKey(Integer::sum);
    assertThat(shuffled.lookup("a")).isEmpty();
    assertThat(none.lookup("a")).isEmpty();
    assertThat(none.sortByKey().lookup("a")).isEmpty();
    PairRDD<String, Integer> some = CONTEXT.parallelizePairs(List.of(Pair.of("a", 1)), 2);
    assertThat(shuffled.subtractByKey(some).collect()).isEmpty();
    assertThat(shuffled.join(some).collect()).isEmpty();
    assertThat(shuffled.cogroup(some).count()).isEqualTo(1);
    assertThat(shuffled.union(some).lookup("a")).containsExactly(1);
  }

  @Test
  void aRddWithoutPartitionsIsCheckpointed() {
    for (RDD<Integer> rdd : List.of(CONTEXT.<Integer>emptyRDD(), CONTEXT.<Integer>emptyRDD())) {
      RDD<Integer> marked = rdd.map(i -> i).localCheckpoint();
      assertThat(marked.count()).isZero();
      assertThat(marked.isCheckpointed()).isTrue();
      assertThat(marked.collect()).isEmpty();
    }
  }

  @Test
  void infiniteAndHugeNumbers() {
    double infinity = Double.POSITIVE_INFINITY;
    double huge = Double.MAX_VALUE;
    assertThat(statistics(infinity, 1, 2).mean()).isEqualTo(infinity);
    assertThat(statistics(1, infinity, 2).sum()).isEqualTo(infinity);
    assertThat(statistics(1, -infinity).mean()).isEqualTo(-infinity);
    assertThat(statistics(infinity, infinity).mean()).isEqualTo(infinity);
    assertThat(statistics(infinity, -infinity).mean()).isNaN();
    assertThat(statistics(1, Double.NaN).mean()).isNaN();
    assertThat(statistics(1, infinity).variance()).isNaN();
    assertThat(statistics(huge, -huge).mean()).isZero();
    assertThat(statistics(-huge, huge, huge, huge).mean()).isBetween(0.499 * huge, 0.501 * huge);
    for (int slices : new int[] {1, 2, 3}) {
      DoubleRDD rdd = CONTEXT.parallelizeDoubles(List.of(infinity, 1.0, 2.0), slices);
      assertThat(rdd.mean()).isEqualTo(infinity);
      assertThat(rdd.meanApprox(10_000).finalValue().mean()).isEqualTo(infinity);
      DoubleRDD ends = CONTEXT.parallelizeDoubles(List.of(-huge, 0.5, huge), slices);
      assertThat(ends.mean()).isBetween(-1.0, 1.0);
      Histogram histogram = ends.histogram(4);
      assertThat(Arrays.stream(histogram.bounds()).map(bound -> bound / huge).toArray())
          .containsExactly(new double[] {-1, -0.5, 0, 0.5, 1}, within(1e-12));
      assertThat(histogram.counts()).containsExactly(1, 0, 1, 1);
    }
    BoundedDouble bounded = Approximations.boundedSum(0.95, statistics(infinity, 1), 0.5);
    assertThat(bounded.low()).isEqualTo(-infinity);
    assertThat(bounded.high()).isEqualTo(infinity);
  }

  private static DoubleStatistics statistics(double... values) {
    DoubleStatistics joined = new DoubleStatistics();
    for (double value : values) {
      joined.merge(DoubleStatistics.of(value));
    }
    double added = DoubleStatistics.of(values).mean();
    double difference = added - joined.mean();
    assertThat(Double.isFinite(difference) ? difference / Double.MAX_VALUE : 0)
        .isBetween(-1e-12, 1e-12);
    assertThat(Double.isFinite(added)).isEqualTo(Double.isFinite(joined.mean()));
    return joined;
  }
}
