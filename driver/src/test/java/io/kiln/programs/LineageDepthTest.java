package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
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
}
