package io.kiln.api.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.DoubleRDD;
import io.kiln.api.DoubleStatistics;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// What every operation of [RDD] and [DoubleRDD] gives, against plain Java, for any engine. A
/// subclass says in which context.
public abstract class OperationsContract {
  private static final int TRIES = 20;

  /// The context of all tests; its engine may keep it between them.
  protected abstract KilnContext context();

  /// What the tests take for an input: itself, or itself persisted.
  protected <T> RDD<T> input(RDD<T> rdd) {
    return rdd;
  }

  private RDD<Integer> numbers(List<Integer> values, int slices) {
    return input(context().parallelize(values, slices));
  }

  private static List<Integer> upTo(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  private static void assertFails(
      String code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private static void assertFailsInTask(
      String text, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(KilnException.class).hasStackTraceContaining(text);
  }

  // ---- record by record ---------------------------------------------------------------------

  @Property(tries = TRIES)
  void narrowOperatorsInBothForms(
      @ForAll @Size(max = 40) List<@IntRange(min = -9, max = 9) Integer> values,
      @ForAll @IntRange(min = 1, max = 6) int slices) {
    RDD<Integer> chain =
        numbers(values, slices)
            .map(v -> v + 1)
            .filter(v -> v % 3 != 0)
            .flatMap(v -> Collections.nCopies(Math.abs(v), v * 2).iterator());
    List<Integer> expected = new ArrayList<>();
    for (int value : values) {
      if ((value + 1) % 3 != 0) {
        expected.addAll(Collections.nCopies(Math.abs(value + 1), (value + 1) * 2));
      }
    }
    assertThat(chain.collect()).isEqualTo(expected);
    assertThat(pulled(chain)).isEqualTo(expected);
    assertThat(chain.count()).isEqualTo(expected.size());
    assertThat(chain.take(3)).isEqualTo(expected.subList(0, Math.min(3, expected.size())));
  }

  /// The records by the pull form.
  private static <T> List<T> pulled(RDD<T> rdd) {
    List<T> all = new ArrayList<>();
    rdd.context()
        .runJob(
            rdd,
            (Iterator<T> records) -> {
              ArrayList<T> list = new ArrayList<>();
              records.forEachRemaining(list::add);
              return list;
            })
        .forEach(all::addAll);
    return all;
  }

  @Test
  void partitionsAreSlicesInOrder() {
    assertThat(numbers(upTo(10), 4).glom().collect())
        .containsExactly(List.of(0, 1), List.of(2, 3, 4), List.of(5, 6), List.of(7, 8, 9));
    assertThat(numbers(List.of(1), 3).glom().collect())
        .containsExactly(List.of(), List.of(), List.of(1));
  }

  @Property(tries = TRIES)
  void range(
      @ForAll @IntRange(min = -50, max = 50) int start,
      @ForAll @IntRange(min = -50, max = 50) int end,
      @ForAll @IntRange(min = 1, max = 7) int step,
      @ForAll @IntRange(min = 1, max = 7) int slices) {
    List<Long> up = new ArrayList<>();
    for (long v = start; v < end; v += step) {
      up.add(v);
    }
    List<Long> down = new ArrayList<>();
    for (long v = start; v > end; v -= step) {
      down.add(v);
    }
    assertThat(context().range(start, end, step, slices).collect()).isEqualTo(up);
    assertThat(pulled(context().range(start, end, -step, slices))).isEqualTo(down);
  }

  @Test
  void rangeAtTheEndsOfLong() {
    RDD<Long> range = context().range(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 2, 3);
    List<Long> expected =
        LongStream.of(0, 1, 2, 3, 4)
            .map(i -> Long.MIN_VALUE + i * (Long.MAX_VALUE / 2))
            .boxed()
            .toList();
    assertThat(range.collect()).isEqualTo(expected);
    assertFails("STEP_ZERO", () -> context().range(0, 1, 0));
    assertFails("RANGE_TOO_LONG", () -> context().range(Long.MIN_VALUE, Long.MAX_VALUE));
  }

  @Test
  void mapPartitions() {
    RDD<Integer> rdd = numbers(upTo(10), 3);
    RDD<Integer> sums =
        rdd.mapPartitions(
            records -> {
              int sum = 0;
              while (records.hasNext()) {
                sum += records.next();
              }
              return List.of(sum).iterator();
            });
    assertThat(sums.collect()).containsExactly(3, 12, 30);
    RDD<String> indexed =
        rdd.mapPartitionsWithIndex(
            (index, records) -> List.of(index + ":" + records.next()).iterator());
    assertThat(indexed.collect()).containsExactly("0:0", "1:3", "2:6");
    assertFailsInTask("returned null", () -> rdd.mapPartitions(_ -> null).count());
    assertFailsInTask("returned null", () -> rdd.flatMap(_ -> null).count());
  }

  @Test
  void failureInAFunctionShowsTheUsersException() {
    RDD<Integer> failing =
        numbers(upTo(4), 2)
            .map(
                v -> {
                  if (v == 3) {
                    throw new java.io.IOException("no luck with " + v);
                  }
                  return v;
                });
    assertFailsInTask("no luck with 3", failing::count);
    assertFailsInTask("no luck with 3", () -> pulled(failing));
  }

  @Test
  void closureThatCannotBeSerialisedFailsAtTheCall() {
    Object lock = new Object();
    assertFails(
        "CLOSURE_NOT_SERIALIZABLE", () -> numbers(upTo(2), 1).map(v -> v + lock.hashCode()));
  }

  @Test
  void pipe() {
    RDD<Integer> rdd = numbers(upTo(6), 2);
    assertThat(rdd.pipe("cat").collect()).containsExactly("0", "1", "2", "3", "4", "5");
    assertThat(
            rdd.pipe(List.of("sh", "-c", "echo $WORD; wc -l | tr -d ' '"), Map.of("WORD", "hi"))
                .collect())
        .containsExactly("hi", "3", "hi", "3");
    assertThat(rdd.pipe("head -1").collect()).containsExactly("0", "3");
    assertFailsInTask(
        "'sh -c exit 7' ended with code 7", () -> rdd.pipe(List.of("sh", "-c", "exit 7")).count());
    assertFailsInTask("no-such-program", () -> rdd.pipe("no-such-program").count());
    assertFailsInTask("/ by zero", () -> rdd.map(v -> 1 / (v - 1)).pipe("cat").count());
  }

  // ---- several RDDs -------------------------------------------------------------------------

  @Property(tries = TRIES)
  void setOperations(
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 9) Integer> left,
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 9) Integer> right,
      @ForAll @IntRange(min = 1, max = 4) int slices,
      @ForAll @IntRange(min = 1, max = 4) int otherSlices) {
    RDD<Integer> a = numbers(left, slices);
    RDD<Integer> b = numbers(right, otherSlices);
    List<Integer> both = new ArrayList<>(left);
    both.addAll(right);
    assertThat(a.union(b).collect()).isEqualTo(both);
    assertThat(pulled(a.union(b))).isEqualTo(both);
    assertThat(a.union(b).numPartitions()).isEqualTo(slices + otherSlices);
    assertThat(a.distinct().collect()).containsExactlyInAnyOrderElementsOf(new HashSet<>(left));
    HashSet<Integer> common = new HashSet<>(left);
    common.retainAll(right);
    assertThat(a.intersection(b).collect()).containsExactlyInAnyOrderElementsOf(common);
    List<Integer> rest = new ArrayList<>(left);
    rest.removeAll(right);
    assertThat(a.subtract(b).collect()).containsExactlyInAnyOrderElementsOf(rest);
    assertThat(a.subtract(b).numPartitions()).isEqualTo(slices);
    List<Pair<Integer, Integer>> product = new ArrayList<>();
    left.forEach(x -> right.forEach(y -> product.add(Pair.of(x, y))));
    assertThat(a.cartesian(b).collect()).containsExactlyInAnyOrderElementsOf(product);
    assertThat(pulled(a.cartesian(b))).containsExactlyInAnyOrderElementsOf(product);
  }

  @Test
  void zips() {
    RDD<Integer> rdd = numbers(upTo(5), 2);
    assertThat(rdd.zip(rdd.map(v -> "n" + v)).collect())
        .containsExactlyElementsOf(upTo(5).stream().map(v -> Pair.of(v, "n" + v)).toList());
    assertFails("UNEQUAL_PARTITIONS", () -> rdd.zip(numbers(upTo(5), 3)));
    assertFailsInTask("unequal numbers", () -> rdd.zip(numbers(upTo(7), 2)).count());
    assertThat(
            rdd.zipPartitions(
                    rdd, rdd, rdd, (a, _, _, d) -> List.of(a.next() + d.next()).iterator())
                .collect())
        .containsExactly(0, 4);
    assertThat(rdd.zipPartitions(rdd, (a, b) -> List.of(a.next() + b.next()).iterator()).collect())
        .containsExactly(0, 4);
    assertThat(
            rdd.zipPartitions(rdd, rdd, (a, _, c) -> List.of(a.next() + c.next()).iterator())
                .collect())
        .containsExactly(0, 4);
  }

  @Property(tries = TRIES)
  void numbering(
      @ForAll @IntRange(min = 0, max = 40) int size,
      @ForAll @IntRange(min = 1, max = 6) int slices) {
    RDD<Integer> rdd = numbers(upTo(size), slices);
    List<Pair<Integer, Long>> expected =
        upTo(size).stream().map(v -> Pair.of(v, (long) v)).toList();
    assertThat(rdd.zipWithIndex().collect()).isEqualTo(expected);
    assertThat(pulled(rdd.zipWithIndex())).isEqualTo(expected);
    List<List<Pair<Integer, Long>>> unique = rdd.zipWithUniqueId().glom().collect();
    for (int k = 0; k < slices; k++) {
      for (int i = 0; i < unique.get(k).size(); i++) {
        assertThat(unique.get(k).get(i).value()).isEqualTo((long) i * slices + k);
      }
    }
  }

  // ---- partitions and order -----------------------------------------------------------------

  @Property(tries = TRIES)
  void sorting(
      @ForAll @Size(max = 60) List<@IntRange(min = -20, max = 20) Integer> values,
      @ForAll @IntRange(min = 1, max = 5) int slices,
      @ForAll @IntRange(min = 1, max = 5) int targets) {
    RDD<Integer> rdd = numbers(values, slices);
    List<Integer> ascending = values.stream().sorted().toList();
    List<Integer> descending = values.stream().sorted(Comparator.reverseOrder()).toList();
    assertThat(rdd.sortBy(v -> v).collect()).isEqualTo(ascending);
    assertThat(rdd.sortBy(v -> v, false, targets).collect()).isEqualTo(descending);
    assertThat(rdd.sortBy(v -> v, Comparator.<Integer>reverseOrder(), targets).collect())
        .isEqualTo(descending);
    assertThat(rdd.top(4)).isEqualTo(descending.subList(0, Math.min(4, values.size())));
    assertThat(rdd.takeOrdered(4)).isEqualTo(ascending.subList(0, Math.min(4, values.size())));
    assertThat(rdd.takeOrdered(4, (a, b) -> b - a)).isEqualTo(rdd.top(4));
  }

  /// Where map outputs come from several processes, their order is that in which they come.
  private static List<List<Integer>> sorted(List<List<Integer>> parts) {
    return parts.stream().map(part -> part.stream().sorted().toList()).toList();
  }

  @Property(tries = TRIES)
  void fewerAndMorePartitions(
      @ForAll @IntRange(min = 0, max = 60) int size,
      @ForAll @IntRange(min = 1, max = 8) int slices,
      @ForAll @IntRange(min = 1, max = 8) int targets) {
    RDD<Integer> rdd = numbers(upTo(size), slices);
    RDD<Integer> coalesced = rdd.coalesce(targets);
    assertThat(coalesced.numPartitions()).isEqualTo(Math.min(slices, targets));
    assertThat(coalesced.collect()).isEqualTo(upTo(size));
    assertThat(pulled(coalesced)).isEqualTo(upTo(size));
    RDD<Integer> dealt = rdd.repartition(targets);
    List<List<Integer>> parts = dealt.glom().collect();
    assertThat(parts).hasSize(targets);
    assertThat(dealt.collect()).containsExactlyInAnyOrderElementsOf(upTo(size));
    int largest = parts.stream().mapToInt(List::size).max().orElse(0);
    int smallest = parts.stream().mapToInt(List::size).min().orElse(0);
    assertThat(largest - smallest).isLessThanOrEqualTo(slices);
    assertThat(sorted(dealt.glom().collect())).isEqualTo(sorted(parts));
    assertFails("PARTITIONS_NOT_POSITIVE", () -> rdd.coalesce(0));
  }

  // ---- samples ------------------------------------------------------------------------------

  @Test
  void samplesDependOnTheSeedAlone() {
    RDD<Integer> rdd = numbers(upTo(10_000), 4);
    for (boolean withReplacement : new boolean[] {false, true}) {
      List<Integer> sample = rdd.sample(withReplacement, 0.1, 7).collect();
      assertThat(sample).hasSizeBetween(850, 1150).isSorted();
      assertThat(new HashSet<>(sample).size() == sample.size()).isEqualTo(!withReplacement);
      assertThat(pulled(rdd.sample(withReplacement, 0.1, 7))).isEqualTo(sample);
      assertThat(rdd.sample(withReplacement, 0.1, 8).collect()).isNotEqualTo(sample);
    }
    assertThat(rdd.sample(false, 1, 1).count()).isEqualTo(10_000);
    assertThat(rdd.sample(false, 0, 1).count()).isZero();
    assertFails("SAMPLE_INVALID", () -> rdd.sample(false, 1.1));
    List<RDD<Integer>> parts = rdd.randomSplit(new double[] {1, 3}, 5);
    assertThat(parts.get(0).count()).isBetween(2300L, 2700L);
    assertThat(parts.get(0).union(parts.get(1)).collect())
        .containsExactlyInAnyOrderElementsOf(upTo(10_000));
  }

  @Test
  void takeSample() {
    RDD<Integer> rdd = numbers(upTo(100), 3);
    assertThat(rdd.takeSample(false, 20, 1)).hasSize(20).doesNotHaveDuplicates();
    assertThat(rdd.takeSample(false, 20, 1)).isEqualTo(rdd.takeSample(false, 20, 1));
    assertThat(rdd.takeSample(false, 200, 1)).containsExactlyInAnyOrderElementsOf(upTo(100));
    assertThat(rdd.takeSample(true, 200, 1)).hasSize(200);
    assertThat(context().<Integer>emptyRDD().takeSample(true, 5)).isEmpty();
  }

  // ---- actions ------------------------------------------------------------------------------

  @Property(tries = TRIES)
  void oneValueOfAll(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = -99, max = 99) Integer> values,
      @ForAll @IntRange(min = 1, max = 30) int slices) {
    RDD<String> texts = numbers(values, slices).map(v -> "," + v);
    String joined = String.join("", values.stream().map(v -> "," + v).toList());
    int sum = values.stream().mapToInt(Integer::intValue).sum();
    RDD<Integer> rdd = numbers(values, slices);
    assertThat(texts.reduce((a, b) -> a + b)).isEqualTo(joined);
    assertThat(texts.fold("", (a, b) -> a + b)).isEqualTo(joined);
    assertThat(rdd.fold(1, Integer::sum)).isEqualTo(sum + slices + 1);
    assertThat(
            texts
                .aggregate(new StringBuilder(), (all, t) -> all.append(t), (a, b) -> a.append(b))
                .toString())
        .isEqualTo(joined);
    assertThat(rdd.treeReduce(Integer::sum)).isEqualTo(sum);
    assertThat(rdd.treeReduce(Integer::sum, 4)).isEqualTo(sum);
    assertThat(rdd.treeAggregate(0L, (all, v) -> all + v, Long::sum, 3)).isEqualTo((long) sum);
    assertThat(rdd.max(Comparator.naturalOrder())).isEqualTo(Collections.max(values));
    assertThat(rdd.min((a, b) -> a.compareTo(b))).isEqualTo(Collections.min(values));
    Map<Integer, Long> counts = new HashMap<>();
    values.forEach(v -> counts.merge(v, 1L, Long::sum));
    assertThat(rdd.countByValue()).isEqualTo(counts);
    assertThat(rdd.first()).isEqualTo(values.get(0));
  }

  @Test
  void emptyInputs() {
    for (RDD<Integer> empty :
        List.of(
            context().<Integer>emptyRDD(),
            numbers(List.of(), 3),
            numbers(upTo(3), 2).filter(_ -> false))) {
      assertFails("EMPTY_RDD", () -> empty.reduce(Integer::sum));
      assertFails("EMPTY_RDD", () -> empty.treeReduce(Integer::sum));
      assertFails("EMPTY_RDD", () -> empty.max(Comparator.naturalOrder()));
      assertFails("EMPTY_RDD", () -> empty.min(Comparator.naturalOrder()));
      assertFails("EMPTY_RDD", empty::first);
      assertThat(empty.fold(7, Integer::sum)).isEqualTo(7 * (empty.numPartitions() + 1));
      assertThat(empty.treeAggregate(0, Integer::sum, Integer::sum)).isZero();
      assertThat(empty.isEmpty()).isTrue();
      assertThat(empty.count()).isZero();
      assertThat(empty.take(3)).isEmpty();
      assertThat(empty.top(3)).isEmpty();
      assertThat(empty.sortBy(v -> v).collect()).isEmpty();
      assertThat(empty.distinct().collect()).isEmpty();
      assertThat(empty.zipWithIndex().collect()).isEmpty();
      assertThat(empty.countApproxDistinct()).isZero();
      assertThat(empty.toLocalIterator()).isExhausted();
    }
  }

  @Test
  void localIteratorAndPartitions() {
    RDD<Integer> rdd = numbers(upTo(10), 4);
    for (boolean prefetch : new boolean[] {false, true}) {
      List<Integer> seen = new ArrayList<>();
      rdd.toLocalIterator(prefetch).forEachRemaining(seen::add);
      assertThat(seen).isEqualTo(upTo(10));
    }
    assertThat(rdd.collectPartitions(2, 0)).containsExactly(List.of(5, 6), List.of(0, 1));
    assertFails("PARTITION_UNKNOWN", () -> rdd.collectPartitions(4));
  }

  @Test
  void futures() throws Exception {
    RDD<Integer> rdd = numbers(upTo(50), 10);
    assertThat(rdd.countAsync().get()).isEqualTo(50);
    assertThat(rdd.collectAsync().await()).isEqualTo(upTo(50));
    var taken = rdd.takeAsync(12);
    assertThat(taken.await()).isEqualTo(upTo(12));
    assertThat(taken.jobIds()).hasSizeGreaterThan(1);
    var sum = context().longAccumulator();
    assertThat(rdd.foreachAsync(v -> sum.add(v)).get()).isNull();
    assertThat(sum.sum()).isEqualTo(1225);
    assertThatThrownBy(() -> rdd.map(v -> 1 / v).countAsync().get())
        .hasStackTraceContaining("/ by zero");
  }

  @Test
  void accumulatorsAndForeach() {
    var sum = context().longAccumulator("sum");
    var seen = context().<Integer>collectionAccumulator();
    var halves = context().doubleAccumulator();
    numbers(upTo(10), 3)
        .foreach(
            v -> {
              sum.add(v);
              seen.add(v);
              halves.add(v / 2.0);
            });
    assertThat(sum.value()).isEqualTo(45);
    assertThat(sum.count()).isEqualTo(10);
    assertThat(halves.value()).isEqualTo(22.5);
    assertThat(seen.value()).containsExactlyInAnyOrderElementsOf(upTo(10));
    numbers(upTo(10), 3).foreachPartition(_ -> sum.add(100));
    assertThat(sum.value()).isEqualTo(345);
  }

  @Test
  void anRddInATaskIsRefused() {
    RDD<Integer> rdd = numbers(upTo(4), 2);
    RDD<Integer> other = numbers(upTo(4), 2);
    assertFailsInTask("inside a task", () -> rdd.map(v -> v + other.count()).collect());
  }

  @Test
  void estimates() {
    RDD<Integer> rdd = numbers(upTo(20_000), 4);
    assertThat(rdd.countApproxDistinct(0.02)).isBetween(18_800L, 21_200L);
    assertThat(rdd.countApprox(60_000).finalValue().mean()).isEqualTo(20_000);
    assertThat(rdd.map(v -> v % 2).countByValueApprox(60_000).finalValue().get(1).mean())
        .isEqualTo(10_000);
    assertFails("DEVIATION_TOO_SMALL", () -> rdd.countApproxDistinct(0.000001));
  }

  @Test
  void debugStringShowsShufflesAndStorage() {
    RDD<Integer> rdd = numbers(upTo(4), 2).map(v -> v).persist().distinct(3);
    assertThat(rdd.toDebugString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("(3) MapRDD["),
            line -> assertThat(line).startsWith(" |  ShuffledRDD["),
            line -> assertThat(line).startsWith(" +-(2) MapRDD["),
            line ->
                assertThat(line).startsWith("     |  MapRDD[").contains("Memory Deserialized 1x"),
            line -> assertThat(line).startsWith("     |  ParallelCollectionRDD["));
  }

  // ---- numbers ------------------------------------------------------------------------------

  @Property(tries = TRIES)
  void statistics(
      @ForAll @Size(min = 2, max = 40) List<@IntRange(min = -999, max = 999) Integer> values,
      @ForAll @IntRange(min = 1, max = 6) int slices) {
    DoubleRDD rdd = numbers(values, slices).mapToDouble(v -> v);
    double mean = values.stream().mapToDouble(v -> v).average().orElseThrow();
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    var near = org.assertj.core.data.Offset.offset(1e-6 * (1 + squares));
    assertThat(rdd.sum()).isEqualTo(values.stream().mapToInt(v -> v).sum());
    assertThat(rdd.mean()).isCloseTo(mean, near);
    assertThat(rdd.variance()).isCloseTo(squares / values.size(), near);
    assertThat(rdd.sampleVariance()).isCloseTo(squares / (values.size() - 1), near);
    assertThat(rdd.stdev()).isCloseTo(Math.sqrt(squares / values.size()), near);
    assertThat(rdd.sampleStdev()).isCloseTo(Math.sqrt(squares / (values.size() - 1)), near);
    assertThat(rdd.max()).isEqualTo(Collections.max(values).doubleValue());
    assertThat(rdd.min()).isEqualTo(Collections.min(values).doubleValue());
    DoubleStatistics stats = rdd.stats();
    assertThat(stats.count()).isEqualTo(values.size());
    assertThat(stats.max()).isEqualTo(rdd.max());
    assertThat(rdd.sumApprox(60_000).finalValue().mean()).isCloseTo(rdd.sum(), near);
    assertThat(rdd.meanApprox(60_000).finalValue().mean()).isCloseTo(mean, near);
    double[] bounds = {-500, 0, 500};
    long low = values.stream().filter(v -> v >= -500 && v < 0).count();
    long high = values.stream().filter(v -> v >= 0 && v <= 500).count();
    assertThat(rdd.histogram(bounds)).containsExactly(low, high);
    assertThat(LongStream.of(rdd.histogram(3).counts()).sum()).isEqualTo(values.size());
  }

  @Test
  void histograms() {
    DoubleRDD rdd = context().parallelizeDoubles(List.of(1.0, 1.0, 2.0, 3.0, 5.0), 2);
    assertThat(rdd.histogram(4).bounds()).containsExactly(1, 2, 3, 4, 5);
    assertThat(rdd.histogram(4).counts()).containsExactly(2, 1, 1, 1);
    assertThat(rdd.filter(v -> v == 1).histogram(4).counts()).containsExactly(2);
    assertFails("HISTOGRAM_INVALID", () -> rdd.filter(_ -> false).histogram(2));
    assertFails("HISTOGRAM_INVALID", () -> rdd.histogram(new double[] {2, 1}));
    assertThat(rdd.filter(_ -> false).sum()).isZero();
  }

  @Test
  void grouping() {
    Map<Integer, Iterable<Integer>> groups =
        numbers(upTo(20), 4).groupBy(v -> v % 3).collectAsMap();
    assertThat(groups.keySet()).isEqualTo(new TreeSet<>(List.of(0, 1, 2)));
    assertThat(groups.get(1)).containsExactlyInAnyOrder(1, 4, 7, 10, 13, 16, 19);
  }
}
