package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tasks that would go on for ever, or nearly, and never look by themselves whether they were
/// cancelled: their only slot is free for the next job.
@Timeout(60)
class EndlessTasksTest {
  private final KilnContext context = Contexts.open("local[1]");
  private final Gate started = new Gate();

  @AfterEach
  void close() {
    context.close();
  }

  /// What goes on for ever.
  enum Endless {
    SOURCE {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.context().range(0, Long.MAX_VALUE, 1, 1);
      }
    },
    FLAT_MAP {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.flatMap(_ -> numbers());
      }
    },
    PULLED_FLAT_MAP {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.flatMap(_ -> numbers()).filter(_ -> false).mapPartitions(records -> records);
      }
    },
    MAP_PARTITIONS {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.mapPartitions(_ -> numbers());
      }
    },
    ZIP_PARTITIONS {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.zipPartitions(one, (_, _) -> numbers());
      }
    },
    CARTESIAN {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.cartesian(SOURCE.of(one));
      }
    },
    SHUFFLE_WRITE {
      @Override
      RDD<?> of(RDD<Long> one) {
        return one.flatMap(_ -> numbers())
            .mapToPair(number -> Pair.of(number % 10, number))
            .reduceByKey(Long::sum, 1);
      }
    };

    abstract RDD<?> of(RDD<Long> one);

    static Iterator<Long> numbers() {
      return LongStream.iterate(0, number -> number + 1).iterator();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCancelledTaskGivesItsSlotBack(Endless endless) throws Exception {
    Gate starts = started;
    RDD<Long> one =
        context
            .range(0, 1, 1, 1)
            .map(
                number -> {
                  starts.pass();
                  return number;
                });
    JobFuture<Void> job =
        endless
            .of(one)
            .filter(
                record -> {
                  if (record instanceof Long number && number == 0L) {
                    starts.pass();
                  }
                  return false;
                })
            .foreachAsync(_ -> {});
    started.awaitHeld(1);

    assertThat(job.cancel(true)).isTrue();

    assertThat(context.range(0, 10, 1, 1).count()).isEqualTo(10);
  }

  @Test
  void noFurtherRecordIsTakenByACancelledTask() throws Exception {
    Gate taken = new Gate();
    JobFuture<Void> job = context.range(0, 1_000, 1, 1).foreachAsync(_ -> passWhenCancelled(taken));
    taken.awaitHeld(1);

    context.cancelAllJobs();

    assertThatThrownBy(job::await).isInstanceOf(KilnException.class);
    assertThat(context.range(0, 10, 1, 1).count()).isEqualTo(10);
    assertThat(taken.waitingToBeSeen()).as("records that came after the cancellation").isZero();
  }

  @Test
  void aSortIsLeftBetweenTwoComparisons() throws Exception {
    Gate compared = new Gate();
    List<Integer> numbers = Stream.iterate(0, number -> number + 1).limit(1_000).toList();
    JobFuture<Long> job =
        context
            .parallelize(numbers, 1)
            .mapToPair(number -> Pair.of(number, number))
            .sortByKey(
                (left, right) -> {
                  passWhenCancelled(compared);
                  return right - left;
                },
                1)
            .countAsync();
    compared.awaitHeld(1);

    context.cancelAllJobs();

    assertThatThrownBy(job::await).isInstanceOf(KilnException.class);
    assertThat(context.range(0, 10, 1, 1).count()).isEqualTo(10);
    assertThat(compared.waitingToBeSeen()).as("comparisons after the cancellation").isZero();
  }

  /// In a task.
  private static void passWhenCancelled(Gate gate) {
    gate.pass();
    TaskContext task = TaskContext.current().orElseThrow();
    while (!task.isInterrupted()) {
      Thread.onSpinWait();
    }
  }
}
