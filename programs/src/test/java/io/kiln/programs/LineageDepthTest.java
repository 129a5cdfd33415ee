package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import io.kiln.api.accumulator.LongAccumulator;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LineageDepthTest {
  private static final long MOST_BYTES_A_UNION = 20_000;

  @Test
  void tenThousandOperatorsInOneStage() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Long> rdd = context.range(0, 100, 1, 2);
      for (int i = 0; i < 10_000; i++) {
        rdd = rdd.map(x -> x + 1);
      }
      assertThat(rdd.reduce(Long::sum)).isEqualTo(4_950L + 100 * 10_000);
    }
  }

  /// If each union on the way listed its partitions, there would be 4,500,000 of them.
  @Test
  void aUnionOfUnionsCostsNoMoreThanTheRecords() {
    try (KilnContext context = Contexts.open("local[2]")) {
      long before = allocatedBytes();
      RDD<Integer> rdd = context.parallelize(List.of(0), 1);
      RDD<Integer> one = context.parallelize(List.of(1), 1);
      RDD<Integer> stored = rdd;
      for (int i = 0; i < 3_000; i++) {
        rdd = rdd.union(one);
        if (i == 1_000) {
          stored = rdd.persist(StorageLevel.MEMORY_ONLY);
        }
      }
      assertThat(rdd.numPartitions()).isEqualTo(3_001);
      assertThat(rdd.reduce(Integer::sum)).isEqualTo(3_000);
      assertThat(stored.reduce(Integer::sum)).isEqualTo(1_001);
      assertThat(rdd.collectPartitions(0, 1, 3_000)).hasSize(3);
      assertThat(allocatedBytes() - before).isLessThan(MOST_BYTES_A_UNION * 3_000);
    }
  }

  /// Of this thread, which plans.
  private static long allocatedBytes() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class)
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void twoThousandShufflesCanBeDescribed() {
    try (KilnContext context = Contexts.open("local[2]")) {
      PairRDD<Integer, Integer> rdd =
          context.parallelize(List.of(1), 1).mapToPair(i -> Pair.of(i, i));
      for (int i = 0; i < 2_000; i++) {
        rdd = rdd.partitionBy(new HashPartitioner(1 + i % 2));
      }
      assertThat(rdd.toDebugString()).hasLineCount(2_002);
    }
  }

  /// There are 2^40 ways from the last RDD to the first.
  @Test
  void everyWayThroughALatticeIsNotGone() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Integer> rdd = context.parallelize(List.of(1, 2, 3, 4), 2);
      PairRDD<Integer, Integer> pairs =
          rdd.mapToPair(i -> Pair.of(i, i)).partitionBy(new HashPartitioner(2));
      for (int i = 0; i < 40; i++) {
        rdd = zippedWithItself(rdd).persist(StorageLevel.MEMORY_ONLY);
        pairs = joinedWithItself(pairs).persist(StorageLevel.MEMORY_ONLY);
      }
      assertThat(rdd.reduce(Integer::sum)).isEqualTo(10);
      assertThat(pairs.values().reduce(Integer::sum)).isEqualTo(10);
      assertThat(rdd.preferredLocations(rdd.partitions().getFirst())).isEmpty();
      assertThat(rdd.places((_, _) -> List.of())).containsOnly(List.of());
    }
  }

  private static RDD<Integer> zippedWithItself(RDD<Integer> rdd) {
    return rdd.zip(rdd).map(pair -> (pair.key() + pair.value()) / 2);
  }

  private static PairRDD<Integer, Integer> joinedWithItself(PairRDD<Integer, Integer> rdd) {
    return rdd.join(rdd).mapValues(pair -> (pair.key() + pair.value()) / 2);
  }

  @Test
  void tenThousandOperatorsHavePlaces() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Long> rdd = context.range(0, 100, 1, 2);
      for (int i = 0; i < 10_000; i++) {
        rdd = rdd.map(x -> x + 1);
      }
      rdd.persist(StorageLevel.MEMORY_ONLY);
      assertThat(rdd.preferredLocations(rdd.partitions().getFirst())).isEmpty();
      int last = rdd.id();
      assertThat(rdd.map(x -> x).places((id, part) -> id == last ? List.of("p" + part) : List.of()))
          .containsExactly(List.of("p0"), List.of("p1"));
    }
  }

  /// What is restored on a thread with a large stack still belongs to the task that runs.
  @Test
  void accumulatorsCountInALongLineage() {
    try (KilnContext context = Contexts.open("local[2]")) {
      LongAccumulator seen = context.longAccumulator("seen");
      RDD<Long> rdd = context.range(0, 100, 1, 2);
      for (int i = 0; i < 5_000; i++) {
        rdd = rdd.map(x -> x + 1);
      }
      rdd =
          rdd.map(
              x -> {
                seen.add(x);
                return x;
              });
      for (int i = 0; i < 5_000; i++) {
        rdd = rdd.map(x -> x + 1);
      }
      assertThat(rdd.count()).isEqualTo(100);
      assertThat(seen.value()).isEqualTo(4_950L + 100 * 5_000);
    }
  }
}
