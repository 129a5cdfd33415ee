package io.kiln.api;

import static io.kiln.api.Determinism.DETERMINATE;
import static io.kiln.api.Determinism.INDETERMINATE;
import static io.kiln.api.Determinism.UNORDERED;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.reference.ReferenceEngineProvider;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a partition has each time that it is computed.
class DeterminismTest {
  private final KilnContext context = ReferenceEngineProvider.newContext();
  private final RDD<Integer> source = context.parallelize(List.of(1, 2, 3, 4), 2);
  private final RDD<Integer> shuffled = source.distinct();

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void aSourceAndWhatIsComputedFromItRecordByRecordAreDeterminate() {
    assertThat(source.determinism()).isEqualTo(DETERMINATE);
    assertThat(source.map(v -> v + 1).filter(v -> v > 2).union(source).determinism())
        .isEqualTo(DETERMINATE);
    assertThat(source.zipWithIndex().determinism()).isEqualTo(DETERMINATE);
    assertThat(source.sample(false, 0.5, 1).determinism()).isEqualTo(DETERMINATE);
  }

  @Test
  void aShuffleGivesRecordsInAnyOrder() {
    assertThat(shuffled.determinism()).isEqualTo(UNORDERED);
    assertThat(shuffled.map(v -> v + 1).determinism()).isEqualTo(UNORDERED);
    assertThat(source.repartition(3).determinism()).isEqualTo(UNORDERED);
    assertThat(source.union(shuffled).determinism()).isEqualTo(UNORDERED);
    assertThat(shuffled.coalesce(1).distinct().determinism()).isEqualTo(UNORDERED);
  }

  @Test
  void whatDependsOnTheOrderOfAShuffleIsIndeterminate() {
    assertThat(
            List.of(
                shuffled.repartition(3),
                shuffled.zipWithIndex(),
                shuffled.zipWithUniqueId(),
                shuffled.sample(false, 0.5, 1),
                shuffled.randomSplit(new double[] {1, 1}, 1).get(0),
                shuffled.zip(shuffled)))
        .allSatisfy(rdd -> assertThat(rdd.determinism()).isEqualTo(INDETERMINATE));
  }

  @Test
  void whatIsComputedFromTheIndeterminateIsSoToo() {
    assertThat(shuffled.repartition(3).map(v -> v + 1).distinct().determinism())
        .isEqualTo(INDETERMINATE);
  }

  @Test
  void anOperatorMaySayOtherwise() {
    RDD<Integer> lots =
        new RDD<>(context, List.of(new OneToOneDependency<>(source))) {
          @Override
          protected List<Partition> computePartitions() {
            return source.partitions();
          }

          @Override
          public Iterator<Integer> compute(Partition split, TaskContext task) {
            throw new UnsupportedOperationException();
          }

          @Override
          protected Determinism outputDeterminism(List<Determinism> inputs) {
            assertThat(inputs).containsExactly(DETERMINATE);
            return INDETERMINATE;
          }
        };

    assertThat(lots.map(v -> v + 1).determinism()).isEqualTo(INDETERMINATE);
  }

  @Test
  void aCheckpointFixesWhatIsComputedFromItEvenIfThatWasAskedBefore() {
    RDD<Integer> dealt = shuffled.repartition(3);
    RDD<Integer> later = dealt.map(v -> v + 1);
    assertThat(later.determinism()).isEqualTo(INDETERMINATE);
    dealt.localCheckpoint();
    dealt.count();

    assertThat(dealt.determinism()).isEqualTo(DETERMINATE);
    assertThat(later.determinism()).isEqualTo(DETERMINATE);
  }

  @Test
  void aDeepLineageIsNoDeepStack() {
    RDD<Integer> deep =
        IntStream.range(0, 20_000)
            .boxed()
            .reduce(shuffled, (rdd, _) -> rdd.map(v -> v + 1), (a, _) -> a);

    assertThat(deep.determinism()).isEqualTo(UNORDERED);
  }
}
