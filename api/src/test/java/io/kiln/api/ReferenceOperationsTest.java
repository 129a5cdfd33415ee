package io.kiln.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.contract.OperationsContract;
import io.kiln.api.reference.ReferenceEngine;
import io.kiln.api.reference.ReferenceEngineProvider;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The contract over the reference engine, and how many jobs the operations run.
final class ReferenceOperationsTest extends OperationsContract {
  private static final KilnContext CONTEXT = ReferenceEngineProvider.newContext();

  @Override
  protected KilnContext context() {
    return CONTEXT;
  }

  private static int jobsOf(Runnable action) {
    ReferenceEngine engine = (ReferenceEngine) CONTEXT.engine();
    int before = engine.jobsSubmitted();
    action.run();
    return engine.jobsSubmitted() - before;
  }

  @Test
  void transformationsRunNoJobs() {
    RDD<Long> rdd = CONTEXT.range(0, 100, 1, 50);
    assertThat(
            jobsOf(() -> rdd.map(v -> v).distinct().repartition(3).zipWithUniqueId().groupByKey()))
        .isZero();
    assertThat(jobsOf(rdd::zipWithIndex)).isOne();
    assertThat(jobsOf(() -> CONTEXT.range(0, 100, 1, 1).zipWithIndex())).isZero();
    assertThat(jobsOf(() -> rdd.sortBy(v -> v))).isOne();
    assertThat(jobsOf(() -> rdd.sortBy(v -> v, true, 1))).isZero();
  }

  @Test
  void takeLooksAtFewPartitionsFirst() {
    RDD<Long> rdd = CONTEXT.range(0, 100, 1, 50);
    assertThat(jobsOf(() -> rdd.take(2))).isOne();
    assertThat(jobsOf(() -> rdd.take(10))).isEqualTo(2);
    // 1, 4, 20 and 25 partitions
    assertThat(jobsOf(() -> rdd.filter(v -> v == 99).take(1))).isEqualTo(4);
    assertThat(Actions.partitionsToTry(0, 0, 5)).isEqualTo(1);
    assertThat(Actions.partitionsToTry(5, 0, 5)).isEqualTo(20);
    assertThat(Actions.partitionsToTry(10, 10, 5)).isEqualTo(1);
  }

  @Test
  void aMillionPartitionsAreCheap() {
    RDD<Long> rdd = CONTEXT.range(0, 2_000_000, 1, 1_000_000).map(v -> v + 1).filter(_ -> true);
    assertThat(rdd.numPartitions()).isEqualTo(1_000_000);
    assertThat(rdd.union(rdd).coalesce(7).numPartitions()).isEqualTo(7);
    assertThat(
            CONTEXT
                .parallelize(IntStream.range(0, 2_000_000).boxed().toList(), 1_000_000)
                .numPartitions())
        .isEqualTo(1_000_000);
  }

  @Test
  void checkpointCutsTheLineage() {
    CONTEXT.setCheckpointDir("memory");
    RDD<Long> rdd = CONTEXT.range(0, 10, 1, 3).map(v -> v * v);
    RDD<Long> child = rdd.map(v -> v + 1);
    child.partitions();
    rdd.checkpoint();
    assertThat(rdd.isCheckpointed()).isFalse();
    var before = child.collect();
    assertThat(rdd.isCheckpointed()).isTrue();
    assertThat(rdd.getCheckpointFile()).contains("memory/rdd-" + rdd.id());
    assertThat(rdd.toDebugString()).contains("StoredRDD").doesNotContain("RangeRDD");
    assertThat(child.collect()).isEqualTo(before).hasSize(10);
    assertThat(jobsOf(child::count)).isOne();
  }
}
