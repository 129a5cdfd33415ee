package io.kiln.api.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.HashPartitioner;
import io.kiln.api.IndexedPartition;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.Partition;
import io.kiln.api.Partitioner;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import io.kiln.api.TaskContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// What every operation of [PairRDD] gives, and what keeping an RDD does, against plain Java, for
/// any engine.
public abstract class PairOperationsContract {
  private static final int TRIES = 20;

  /// The context of all tests; its engine may keep it between them.
  protected abstract KilnContext context();

  /// What the tests take for an input: itself, or itself persisted.
  protected <K, V> PairRDD<K, V> input(PairRDD<K, V> rdd) {
    return rdd;
  }

  private <K, V> PairRDD<K, V> input(List<Pair<K, V>> pairs, int slices) {
    return input(context().parallelizePairs(pairs, slices));
  }

  @Provide
  Arbitrary<List<Pair<Integer, String>>> pairs() {
    return Combinators.combine(Arbitraries.integers().between(0, 7), Arbitraries.of("a", "b", "c"))
        .as(Pair::of)
        .list()
        .ofMaxSize(30);
  }

  private static <K, V> Map<K, List<V>> grouped(List<Pair<K, V>> pairs) {
    Map<K, List<V>> groups = new HashMap<>();
    pairs.forEach(p -> groups.computeIfAbsent(p.key(), _ -> new ArrayList<>()).add(p.value()));
    return groups;
  }

  private static List<String> sorted(Iterable<String> values) {
    return StreamSupport.stream(values.spliterator(), false).sorted().toList();
  }

  @Property(tries = TRIES)
  void valuesByKey(
      @ForAll("pairs") List<Pair<Integer, String>> pairs,
      @ForAll @IntRange(min = 1, max = 4) int slices) {
    PairRDD<Integer, String> rdd = input(pairs, slices);
    PairRDD<Integer, String> placed = rdd.partitionBy(new HashPartitioner(3));
    Map<Integer, List<String>> groups = grouped(pairs);
    Map<Integer, Integer> sizes = new HashMap<>();
    groups.forEach((k, list) -> sizes.put(k, list.size()));
    for (PairRDD<Integer, String> input : List.of(rdd, placed)) {
      assertThat(input.mapValues(_ -> 1).reduceByKey(Integer::sum).collectAsMap()).isEqualTo(sizes);
      assertThat(input.mapValues(_ -> 1).foldByKey(0, Integer::sum).collectAsMap())
          .isEqualTo(sizes);
      assertThat(input.mapValues(_ -> 1).reduceByKeyLocally(Integer::sum)).isEqualTo(sizes);
      assertThat(
              input
                  .aggregateByKey(
                      new ArrayList<String>(),
                      (list, v) -> {
                        list.add(v);
                        return list;
                      },
                      (a, b) -> {
                        a.addAll(b);
                        return a;
                      })
                  .mapValues(ArrayList::size)
                  .collectAsMap())
          .isEqualTo(sizes);
      for (boolean combine : new boolean[] {false, true}) {
        assertThat(
                input
                    .<Integer>combineByKey(
                        _ -> 1, (n, _) -> n + 1, Integer::sum, new HashPartitioner(3), combine)
                    .collectAsMap())
            .isEqualTo(sizes);
      }
      assertThat(input.countApproxDistinctByKey(0.01).keys().collect())
          .containsExactlyInAnyOrderElementsOf(groups.keySet());
      assertThat(input.countByKey().keySet()).isEqualTo(groups.keySet());
      Map<Integer, Iterable<String>> found = input.groupByKey().collectAsMap();
      assertThat(found.keySet()).isEqualTo(groups.keySet());
      found.forEach((k, v) -> assertThat(sorted(v)).isEqualTo(sorted(groups.get(k))));
      for (int key = 0; key < 8; key++) {
        assertThat(sorted(input.lookup(key)))
            .isEqualTo(sorted(groups.getOrDefault(key, List.of())));
      }
    }
    assertThat(rdd.keys().zip(rdd.values()).collect()).isEqualTo(pairs);
    assertThat(rdd.flatMapValues(v -> List.of(v, v + v).iterator()).count())
        .isEqualTo(2L * pairs.size());
    assertThat(rdd.distinct().collect()).containsExactlyInAnyOrderElementsOf(new HashSet<>(pairs));
    assertThat(placed.distinct(3).collect())
        .containsExactlyInAnyOrderElementsOf(new HashSet<>(pairs));
  }

  @Property(tries = TRIES)
  void joins(
      @ForAll("pairs") List<Pair<Integer, String>> left,
      @ForAll("pairs") List<Pair<Integer, String>> right,
      @ForAll @IntRange(min = 1, max = 3) int slices,
      @ForAll boolean placedLeft) {
    PairRDD<Integer, String> a = input(left, slices);
    PairRDD<Integer, String> b = input(right, 2);
    if (placedLeft) {
      a = a.partitionBy(new HashPartitioner(4));
    }
    Map<Integer, List<String>> mine = grouped(left);
    Map<Integer, List<String>> theirs = grouped(right);
    Set<Integer> keys = new HashSet<>(mine.keySet());
    keys.addAll(theirs.keySet());
    List<Pair<Integer, Pair<Optional<String>, Optional<String>>>> full = new ArrayList<>();
    for (int key : keys) {
      for (Optional<String> v : optional(mine.get(key))) {
        for (Optional<String> w : optional(theirs.get(key))) {
          full.add(Pair.of(key, Pair.of(v, w)));
        }
      }
    }
    assertThat(a.fullOuterJoin(b).collect()).containsExactlyInAnyOrderElementsOf(full);
    assertThat(
            a.leftOuterJoin(b).mapValues(p -> Pair.of(Optional.of(p.key()), p.value())).collect())
        .containsExactlyInAnyOrderElementsOf(
            full.stream().filter(p -> p.value().key().isPresent()).toList());
    assertThat(
            a.rightOuterJoin(b).mapValues(p -> Pair.of(p.key(), Optional.of(p.value()))).collect())
        .containsExactlyInAnyOrderElementsOf(
            full.stream().filter(p -> p.value().value().isPresent()).toList());
    assertThat(
            a.join(b)
                .mapValues(p -> Pair.of(Optional.of(p.key()), Optional.of(p.value())))
                .collect())
        .containsExactlyInAnyOrderElementsOf(
            full.stream()
                .filter(p -> p.value().key().isPresent() && p.value().value().isPresent())
                .toList());
    assertThat(a.subtractByKey(b).collect())
        .containsExactlyInAnyOrderElementsOf(
            left.stream().filter(p -> !theirs.containsKey(p.key())).toList());
    a.cogroup(b)
        .collectAsMap()
        .forEach(
            (key, groups) -> {
              assertThat(sorted(groups.key())).isEqualTo(sorted(mine.getOrDefault(key, List.of())));
              assertThat(sorted(groups.value()))
                  .isEqualTo(sorted(theirs.getOrDefault(key, List.of())));
            });
    assertThat(a.cogroup(b).keys().collect()).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(
            a.cogroup(b, a)
                .filter(g -> sorted(g.value().first()).equals(sorted(g.value().third())))
                .count())
        .isEqualTo(keys.size());
    assertThat(
            a.cogroup(b, a, b)
                .filter(g -> sorted(g.value().second()).equals(sorted(g.value().fourth())))
                .count())
        .isEqualTo(keys.size());
  }

  private static List<Optional<String>> optional(List<String> values) {
    return values == null ? List.of(Optional.empty()) : values.stream().map(Optional::of).toList();
  }

  @Property(tries = TRIES)
  void sortingByKey(
      @ForAll("pairs") List<Pair<Integer, String>> pairs,
      @ForAll @IntRange(min = 1, max = 4) int slices,
      @ForAll @IntRange(min = 1, max = 5) int targets) {
    PairRDD<Integer, String> rdd = input(pairs, slices);
    List<Integer> keys = pairs.stream().map(Pair::key).sorted().toList();
    assertThat(rdd.sortByKey(true, targets).keys().collect()).isEqualTo(keys);
    assertThat(rdd.sortByKey((a, b) -> b - a, targets).keys().collect())
        .isEqualTo(keys.stream().sorted(Comparator.reverseOrder()).toList());
    assertThat(rdd.sortByKey().collect()).containsExactlyInAnyOrderElementsOf(pairs);
    PairRDD<Integer, String> within =
        rdd.repartitionAndSortWithinPartitions(new HashPartitioner(targets));
    List<List<Pair<Integer, String>>> parts = within.glom().collect();
    for (int i = 0; i < targets; i++) {
      int part = i;
      assertThat(parts.get(i).stream().map(Pair::key))
          .isSorted()
          .allMatch(key -> key % targets == part);
    }
    assertThat(rdd.filterByRange(2, 5).collect())
        .isEqualTo(pairs.stream().filter(p -> p.key() >= 2 && p.key() <= 5).toList());
    assertThat(rdd.sortByKey(true, targets).filterByRange(2, 5).keys().collect())
        .isEqualTo(keys.stream().filter(k -> k >= 2 && k <= 5).toList());
  }

  @Test
  void samplesByKey() {
    List<Pair<String, Integer>> pairs = new ArrayList<>();
    IntStream.range(0, 3000).forEach(i -> pairs.add(Pair.of(i % 3 == 0 ? "x" : "y", i)));
    PairRDD<String, Integer> rdd = input(pairs, 4);
    Map<String, Double> fractions = Map.of("x", 0.1, "y", 0.7301);
    for (boolean withReplacement : new boolean[] {false, true}) {
      PairRDD<String, Integer> exact = rdd.sampleByKeyExact(withReplacement, fractions, 11);
      assertThat(exact.countByKey()).isEqualTo(Map.of("x", 100L, "y", 1461L));
      assertThat(exact.collect()).isEqualTo(exact.collect()).isSubsetOf(pairs);
      Map<String, Long> about = rdd.sampleByKey(withReplacement, fractions, 11).countByKey();
      assertThat(about.get("x")).isBetween(60L, 140L);
      assertThat(about.get("y")).isBetween(1300L, 1600L);
    }
    assertThat(rdd.sampleByKeyExact(false, fractions, 11).collect()).doesNotHaveDuplicates();
  }

  @Test
  void partitionersAreKeptAndLost() {
    PairRDD<Integer, String> rdd = input(List.of(Pair.of(1, "a"), Pair.of(2, "b")), 2);
    Partitioner five = new HashPartitioner(5);
    PairRDD<Integer, String> placed = rdd.partitionBy(five);
    assertThat(rdd.partitioner()).isEmpty();
    assertThat(placed.partitioner()).contains(five);
    assertThat(placed.partitionBy(new HashPartitioner(5)).id()).isEqualTo(placed.id());
    assertThat(placed.mapValues(v -> v + v).partitioner()).contains(five);
    assertThat(placed.flatMapValues(v -> List.of(v).iterator()).partitioner()).contains(five);
    assertThat(placed.filter(_ -> true).partitioner()).contains(five);
    assertThat(placed.mapPartitions(p -> p, true).partitioner()).contains(five);
    assertThat(placed.mapPartitions(p -> p).partitioner()).isEmpty();
    assertThat(placed.map(p -> p).partitioner()).isEmpty();
    assertThat(placed.union(placed).partitioner()).contains(five);
    assertThat(placed.union(placed).numPartitions()).isEqualTo(5);
    assertThat(placed.union(placed).count()).isEqualTo(4);
    assertThat(placed.union(rdd).partitioner()).isEmpty();
    assertThat(placed.join(rdd).partitioner()).contains(five);
    assertThat(rdd.join(placed).partitioner()).contains(five);
    assertThat(placed.reduceByKey((a, _) -> a).toDebugString().split("\\+-")).hasSize(2);
  }

  /// By the parity of the key; a user's own.
  private static final class Parity extends Partitioner {
    @Override
    public int numPartitions() {
      return 2;
    }

    @Override
    public int partition(Object key) {
      return (Integer) key & 1;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Parity;
    }

    @Override
    public int hashCode() {
      return 2;
    }
  }

  /// A source and an operator of a user's own.
  private static final class Countdown extends RDD<Integer> {
    Countdown(KilnContext context) {
      super(context, List.of());
    }

    @Override
    protected List<Partition> computePartitions() {
      return List.of(new IndexedPartition(0), new IndexedPartition(1));
    }

    @Override
    public Iterator<Integer> compute(Partition split, TaskContext task) {
      return List.of(split.index() * 10 + 1, split.index() * 10).iterator();
    }
  }

  @Test
  void ownRddsAndPartitioners() {
    Countdown own = new Countdown(context());
    assertThat(own.map(v -> v + 1).collect()).containsExactly(2, 1, 12, 11);
    List<List<Pair<Integer, Integer>>> parts =
        own.keyBy(v -> v).partitionBy(new Parity()).glom().collect();
    assertThat(parts.get(0)).extracting(Pair::key).containsExactlyInAnyOrder(0, 10);
    assertThat(parts.get(1)).extracting(Pair::key).containsExactlyInAnyOrder(1, 11);
  }

  @Test
  void withoutPartitionsThereAreNoneAfterAShuffle() {
    PairRDD<Integer, Integer> none =
        context().<Integer>emptyRDD().mapToPair(value -> Pair.of(value, value));
    assertThat(none.reduceByKey(Integer::sum).numPartitions()).isZero();
    assertThat(none.reduceByKey(Integer::sum).collect()).isEmpty();
    assertThat(none.groupByKey().join(none).count()).isZero();
    assertThat(none.subtractByKey(none).distinct().count()).isZero();
    assertThat(none.reduceByKey(Integer::sum, 3).glom().collect()).hasSize(3);
    assertThat(none.cogroup(context().parallelizePairs(List.of(Pair.of(1, 2)), 2)).count()).isOne();
    assertThatThrownBy(() -> new HashPartitioner(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void arraysAreNoKeys() {
    PairRDD<int[], Integer> pairs =
        context().parallelize(List.of(1, 2), 1).mapToPair(v -> Pair.of(new int[] {v}, v));
    assertThatThrownBy(() -> pairs.reduceByKey(Integer::sum).count())
        .hasStackTraceContaining("a key is an array (int[])");
    assertThatThrownBy(() -> pairs.groupByKey(2).count()).hasStackTraceContaining("is an array");
    assertThatThrownBy(() -> pairs.join(pairs).count()).hasStackTraceContaining("is an array");
  }

  // ---- keeping ------------------------------------------------------------------------------

  private static final List<StorageLevel> LEVELS =
      List.of(
          StorageLevel.MEMORY_ONLY,
          StorageLevel.MEMORY_ONLY_SER,
          StorageLevel.MEMORY_AND_DISK,
          StorageLevel.MEMORY_AND_DISK_SER,
          StorageLevel.DISK_ONLY,
          StorageLevel.OFF_HEAP);

  @Test
  void persistedIsComputedOnce() {
    for (StorageLevel level : LEVELS) {
      var computed = context().longAccumulator();
      PairRDD<Integer, Integer> rdd =
          context()
              .range(0, 20, 1, 4)
              .mapToPair(
                  v -> {
                    computed.add(1);
                    return Pair.of((int) (v % 5), v.intValue());
                  })
              .persist(level);
      assertThat(rdd.storageLevel()).isEqualTo(level);
      assertThat(context().getPersistentRDDs()).containsKey(rdd.id());
      List<Pair<Integer, Integer>> first = rdd.collect();
      assertThat(rdd.collect()).isEqualTo(first).hasSize(20);
      assertThat(rdd.reduceByKey(Integer::sum).count()).isEqualTo(5);
      assertThat(computed.value()).as(level.describe()).isEqualTo(20);
      assertThatThrownBy(() -> rdd.persist(StorageLevel.MEMORY_ONLY_2))
          .isInstanceOf(KilnException.class);
      rdd.unpersist(true);
      assertThat(rdd.storageLevel()).isEqualTo(StorageLevel.NONE);
      assertThat(context().getPersistentRDDs()).doesNotContainKey(rdd.id());
      assertThat(rdd.count()).isEqualTo(20);
      assertThat(computed.value()).isEqualTo(40);
    }
  }

  @Test
  void localCheckpointCutsTheLineage() {
    RDD<Long> parent = context().range(0, 10, 1, 3).map(v -> v * v);
    RDD<Long> rdd = parent.localCheckpoint();
    RDD<Long> child = rdd.map(v -> v + 1);
    assertThat(rdd.isCheckpointed()).isFalse();
    List<Long> before = child.collect();
    assertThat(rdd.isCheckpointed()).isTrue();
    assertThat(rdd.getCheckpointFile()).isEmpty();
    assertThat(rdd.toDebugString()).doesNotContain("RangeRDD");
    assertThat(child.collect()).isEqualTo(before).hasSize(10);
    rdd.unpersist(true);
    assertThatThrownBy(rdd::count).hasStackTraceContaining("local checkpoint is gone");
  }

  @Test
  void everythingWorksOnViews() {
    PairRDD<Integer, String> view =
        PairRDD.from(context().parallelize(List.of(Pair.of(1, "a")), 1));
    assertThat(PairRDD.from(view)).isSameAs(view);
    assertThat(view.setName("letters").name()).contains("letters");
    assertThat(view.toString()).startsWith("letters ParallelCollectionRDD[");
    assertThat(view.coalesce(1).sample(false, 1, 1).repartition(2).sortBy(Pair::key).collectAsMap())
        .isEqualTo(Map.of(1, "a"));
    assertThat(view.randomSplit(new double[] {1}).get(0)).isInstanceOf(PairRDD.class);
  }
}
