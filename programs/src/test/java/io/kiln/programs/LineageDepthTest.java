package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.accumulator.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LineageDepthTest {

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
