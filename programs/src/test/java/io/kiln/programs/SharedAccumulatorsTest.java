package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.accumulator.DoubleAccumulator;
import io.kiln.api.accumulator.LongAccumulator;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Accumulators that a task's function does not hold, but finds: all tasks find the same.
@Timeout(60)
class SharedAccumulatorsTest {
  private static LongAccumulator sum;
  private static DoubleAccumulator halves;
  private static CollectionAccumulator<Long> all;

  @Test
  void whatTasksAddThroughAStaticFieldCountsOnceForEachThatSucceeds() {
    try (KilnContext context = Contexts.open("local[2,3]")) {
      open(context);
      context.runJob(
          context.range(0, 8_000, 1, 8),
          (task, records) -> {
            for (Iterator<Long> left = records.iterator(); left.hasNext(); ) {
              count(left.next());
            }
            if (task.attemptNumber() < 2) {
              throw new IllegalStateException("not yet");
            }
            return sum.count();
          });
      assertThat(sum.count()).isEqualTo(8_000);
      assertThat(sum.value()).isEqualTo(31_996_000);
      assertThat(halves.value()).isEqualTo(4_000);
      assertThat(all.value()).hasSize(8_000).doesNotHaveDuplicates();
    }
  }

  @Test
  void aTaskReadsWhatItHasAddedItself() {
    try (KilnContext context = Contexts.open("local[2]")) {
      open(context);
      sum.add(100);
      assertThat(
              context
                  .range(0, 8, 1, 8)
                  .map(
                      x -> {
                        count(x);
                        return sum.count();
                      })
                  .collect())
          .containsOnly(1L);
      assertThat(sum.value()).isEqualTo(128);
    }
  }

  private static void open(KilnContext context) {
    sum = context.longAccumulator();
    halves = context.doubleAccumulator();
    all = context.collectionAccumulator();
  }

  private static void count(long x) {
    sum.add(x);
    halves.add(0.5);
    all.add(x);
  }
}
