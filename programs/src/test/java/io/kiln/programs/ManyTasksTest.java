package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.accumulator.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tests' JVM has a heap of 1 GiB.
@Timeout(120)
class ManyTasksTest {

  @Test
  void aMillionTasksInOneJob() {
    try (KilnContext context = Contexts.open("local[2]")) {
      assertThat(context.range(0, 2_000_000, 1, 1_000_000).count()).isEqualTo(2_000_000);
    }
  }

  @Test
  void manyTasksWithCopiesOfAFunction() {
    try (KilnContext context = Contexts.open("local[2]")) {
      LongAccumulator tasks = context.longAccumulator();
      context.runJob(
          context.range(0, 20_000, 1, 20_000),
          (task, _) -> {
            tasks.add(1L);
            return task.partitionId();
          });
      assertThat(tasks.value()).isEqualTo(20_000);
    }
  }
}
