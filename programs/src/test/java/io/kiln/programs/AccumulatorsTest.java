package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.accumulator.LongAccumulator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AccumulatorsTest {

  @Test
  void whatTasksAddArrives() {
    try (KilnContext context = Contexts.open("local[2]")) {
      LongAccumulator sum = context.longAccumulator("sum");
      long count =
          context
              .range(0, 1_000, 1, 20)
              .map(
                  x -> {
                    sum.add(x);
                    return x;
                  })
              .count();
      assertThat(count).isEqualTo(1_000);
      assertThat(sum.value()).isEqualTo(499_500);
    }
  }

  @Test
  void attemptsThatFailCountNothing() {
    try (KilnContext context = Contexts.open("local[2,3]")) {
      LongAccumulator attempts = context.longAccumulator();
      context.runJob(
          context.range(0, 8, 1, 8),
          (task, _) -> {
            attempts.add(1L);
            if (task.attemptNumber() < 2) {
              throw new IllegalStateException("not yet");
            }
            return task.attemptNumber();
          });
      assertThat(attempts.value()).isEqualTo(8);
    }
  }

  @Test
  void aTransformationCountsEachTimeItIsComputed() {
    try (KilnContext context = Contexts.open("local[2]")) {
      LongAccumulator seen = context.longAccumulator();
      RDD<Long> rdd =
          context
              .range(0, 10, 1, 2)
              .map(
                  x -> {
                    seen.add(1L);
                    return x;
                  });
      rdd.count();
      rdd.count();
      assertThat(seen.value()).isEqualTo(20);
      seen.add(100L);
      rdd.count();
      assertThat(seen.value()).isEqualTo(130);
    }
  }

  /// The values it was given: those that it came with would show.
  private static final class Seen extends Accumulator<Long, Set<Long>> {
    private static final long serialVersionUID = 1L;
    private final Set<Long> values = new TreeSet<>();

    @Override
    public boolean isZero() {
      return values.isEmpty();
    }

    @Override
    public Seen copy() {
      Seen copy = new Seen();
      copy.values.addAll(values);
      return copy;
    }

    @Override
    public void reset() {
      values.clear();
    }

    @Override
    public void add(Long value) {
      values.add(value);
    }

    @Override
    public void merge(Accumulator<Long, Set<Long>> other) {
      values.addAll(other.value());
    }

    @Override
    public Set<Long> value() {
      return values;
    }
  }

  @Test
  void aTasksCopyOfAUsersAccumulatorStartsAtZero() {
    try (KilnContext context = Contexts.open("local[2]")) {
      Seen seen = new Seen();
      context.register(seen, "seen");
      seen.add(-1L);
      List<Integer> sizes =
          context
              .range(0, 4, 1, 4)
              .map(
                  x -> {
                    int before = seen.value().size();
                    seen.add(x);
                    return before;
                  })
              .collect();
      assertThat(sizes).containsOnly(0);
      assertThat(seen.value()).containsExactly(-1L, 0L, 1L, 2L, 3L);
    }
  }

  @Test
  void whatIsAddedAtTheEndOfATaskCounts() {
    try (KilnContext context = Contexts.open("local[2]")) {
      LongAccumulator both = context.longAccumulator();
      LongAccumulator endOnly = context.longAccumulator();
      LongAccumulator nested = context.longAccumulator();
      context
          .range(0, 10, 1, 10)
          .foreach(
              _ -> {
                both.add(1L);
                TaskContext task = TaskContext.current().orElseThrow();
                task.onCompletion(() -> both.add(100L));
                task.onCompletion(() -> endOnly.add(1L));
                task.onCompletion(() -> task.onCompletion(() -> nested.add(1L)));
              });
      assertThat(both.value()).isEqualTo(1_010);
      assertThat(endOnly.value()).isEqualTo(10);
      assertThat(nested.value()).isEqualTo(10);
    }
  }
}
