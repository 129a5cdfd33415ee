package io.kiln.programs.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// Chains of operations over all engines give what plain Java gives, also when they are computed
/// again.
class RandomPipelinesTest {

  @Provide
  Arbitrary<List<Pair<Integer, Long>>> records() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 40), Arbitraries.longs().between(-500, 500))
        .as(Pair::of)
        .list()
        .ofMaxSize(400);
  }

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.of(Operation.class), Arbitraries.integers().between(1, 7))
        .as(Step::new);
  }

  @Property(tries = 60, seed = "20261127", edgeCases = EdgeCasesMode.NONE)
  void giveWhatPlainJavaGives(
      @ForAll("records") List<Pair<Integer, Long>> records,
      @ForAll @IntRange(min = 1, max = 6) int slices,
      @ForAll @Size(min = 1, max = 9) List<@net.jqwik.api.From("steps") Step> steps,
      @ForAll Engines engine) {
    KilnContext context = engine.context();
    PairRDD<Integer, Long> rdd = context.parallelizePairs(records, slices);
    List<Pair<Integer, Long>> expected = records;
    for (Step step : steps) {
      rdd = step.on(rdd);
      expected = step.on(expected);
    }
    List<Pair<Integer, Long>> found = rdd.collect();
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    steps.getLast().assertPlaced(rdd);
    assertThat(rdd.count()).isEqualTo(expected.size());
    assertThat(rdd.collect()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(rdd.take(5)).hasSize(Math.min(5, expected.size())).isSubsetOf(expected);
    assertThat(rdd.values().fold(0L, Long::sum))
        .isEqualTo(expected.stream().mapToLong(Pair::value).sum());
  }
}
