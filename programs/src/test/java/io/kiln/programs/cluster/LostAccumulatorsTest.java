package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.accumulator.LongAccumulator;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a task adds where no driver would hear of it makes the task fail.
@Timeout(120)
class LostAccumulatorsTest {
  private static final String UNREGISTERED = "is not registered in the task's process";

  @TempDir Path scratch;

  /// An accumulator of the program's, which knows nothing of tasks.
  private static final class Count extends Accumulator<Long, Long> {
    private static final long serialVersionUID = 1L;
    private final AtomicLong times = new AtomicLong();

    @Override
    public boolean isZero() {
      return times.get() == 0;
    }

    @Override
    public Count copy() {
      Count copy = new Count();
      copy.merge(this);
      return copy;
    }

    @Override
    public void reset() {
      times.set(0);
    }

    @Override
    public void add(Long value) {
      times.incrementAndGet();
    }

    @Override
    public void merge(Accumulator<Long, Long> other) {
      times.addAndGet(other.value());
    }

    @Override
    public Long value() {
      return times.get();
    }
  }

  /// Has a part that is an accumulator, too.
  private static final class Total extends Accumulator<Long, Long> {
    private static final long serialVersionUID = 1L;
    private final LongAccumulator part = new LongAccumulator();

    @Override
    public boolean isZero() {
      return part.isZero();
    }

    @Override
    public Total copy() {
      Total copy = new Total();
      copy.merge(this);
      return copy;
    }

    @Override
    public void reset() {
      part.reset();
    }

    @Override
    public void add(Long value) {
      part.add(value);
    }

    @Override
    public void merge(Accumulator<Long, Long> other) {
      part.merge(((Total) other).part);
    }

    @Override
    public Long value() {
      return part.value();
    }
  }

  /// Each process has its own.
  private static final class OfClass {
    static final LongAccumulator LONGS = new LongAccumulator();

    private OfClass() {}
  }

  private static final class OwnOfClass {
    static final Count COUNT = new Count();

    private OwnOfClass() {}
  }

  @Test
  void onExecutorsThoseThatAClassHasMadeAreRefused() {
    try (KilnContext context =
        KilnContext.create(Clusters.conf("local-cluster[1,1,256]", scratch))) {
      RDD<Long> one = context.range(0, 1, 1, 1);
      context.register(OfClass.LONGS);
      context.register(OwnOfClass.COUNT);
      assertThatThrownBy(() -> one.foreach(x -> OfClass.LONGS.add(x)))
          .hasMessageContaining(UNREGISTERED)
          .hasMessageContaining(LongAccumulator.class.getName());
      assertThatThrownBy(() -> one.foreach(x -> OwnOfClass.COUNT.add(x)))
          .hasMessageContaining(UNREGISTERED)
          .hasMessageContaining(Count.class.getName());
      requireThatOthersWork(context);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local-cluster[1,1,256]", "local[1]"})
  void thoseInABroadcastHaveToBeAskedForTheTasksOwn(String master) {
    try (KilnContext context = KilnContext.create(Clusters.conf(master, scratch))) {
      RDD<Long> numbers = context.range(0, 10, 1, 3);
      Total total = new Total();
      context.register(total);
      Broadcast<Total> broadcast = context.broadcast(total);
      assertThatThrownBy(() -> numbers.foreach(x -> broadcast.value().add(x)))
          .hasMessageContaining("write ofTask().add(...) there");
      numbers.foreach(x -> broadcast.value().ofTask().add(x));
      assertThat(total.value()).isEqualTo(45);
      requireThatOthersWork(context);
    }
  }

  @Test
  void thoseThatNobodyHasRegisteredDoNotTravel() {
    try (KilnContext context = KilnContext.create(Clusters.conf("local[1]", scratch))) {
      LongAccumulator forgotten = new LongAccumulator();
      assertThatThrownBy(() -> context.range(0, 1, 1, 1).foreach(x -> forgotten.add(x)))
          .hasMessageContaining("register it with the context");
    }
  }

  private static void requireThatOthersWork(KilnContext context) {
    Total total = new Total();
    context.register(total);
    assertThat(
            context
                .range(0, 10, 1, 3)
                .map(
                    x -> {
                      LongAccumulator own = new LongAccumulator();
                      own.add(x);
                      total.add(x);
                      return own.value();
                    })
                .reduce(Long::sum))
        .isEqualTo(45);
    assertThat(total.value()).isEqualTo(45);
  }
}
