package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.HashPartitioner;
import io.kiln.api.JobFuture;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
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

  /// Where a task's records come from, pushed and pulled.
  enum Source {
    RANGE {
      @Override
      RDD<?> of(KilnContext context) {
        return context.range(0, 1_000, 1, 1);
      }
    },
    COLLECTION {
      @Override
      RDD<?> of(KilnContext context) {
        return context.parallelize(numbers(), 1);
      }
    },
    FLAT_MAP {
      @Override
      RDD<?> of(KilnContext context) {
        return context.range(0, 1, 1, 1).flatMap(_ -> numbers().iterator());
      }
    },
    MAP_PARTITIONS {
      @Override
      RDD<?> of(KilnContext context) {
        return context.range(0, 1, 1, 1).mapPartitions(_ -> numbers().iterator());
      }
    },
    ZIP_PARTITIONS {
      @Override
      RDD<?> of(KilnContext context) {
        RDD<Long> one = context.range(0, 1, 1, 1);
        return one.zipPartitions(one, (_, _) -> numbers().iterator());
      }
    },
    CACHED {
      @Override
      RDD<?> of(KilnContext context) {
        RDD<Integer> cached = context.parallelize(numbers(), 1).cache();
        assertThat(cached.count()).isEqualTo(1_000);
        return cached;
      }
    },
    SHUFFLED {
      @Override
      RDD<?> of(KilnContext context) {
        return pairs(context).partitionBy(new HashPartitioner(1));
      }
    },
    COMBINED {
      @Override
      RDD<?> of(KilnContext context) {
        return pairs(context).reduceByKey(Integer::sum, 1);
      }
    },
    GROUPED {
      @Override
      RDD<?> of(KilnContext context) {
        return pairs(context).cogroup(pairs(context), 1);
      }
    };

    abstract RDD<?> of(KilnContext context);

    static List<Integer> numbers() {
      return IntStream.range(0, 1_000).boxed().toList();
    }

    static PairRDD<Integer, Integer> pairs(KilnContext context) {
      return context.parallelize(numbers(), 1).mapToPair(number -> Pair.of(number, number));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noFurtherRecordIsTakenByACancelledTask(Source source) throws Exception {
    RDD<?> records = source.of(context);
    context.setInterruptOnCancel(true);
    awaitNoFurther(taken -> records.foreachAsync(_ -> passWhenCancelled(taken)));
    awaitNoFurther(
        taken ->
            records.foreachPartitionAsync(
                iterator -> iterator.forEachRemaining(_ -> passWhenCancelled(taken))));
  }

  private void awaitNoFurther(Function<Gate, JobFuture<Void>> start) throws Exception {
    Gate taken = new Gate();
    JobFuture<Void> job = start.apply(taken);
    taken.awaitHeld(1);

    context.cancelAllJobs();

    assertThatThrownBy(job::await).isInstanceOf(KilnException.class);
    assertThat(context.range(0, 10, 1, 1).count()).isEqualTo(10);
    assertThat(taken.waitingToBeSeen()).as("records that came after the cancellation").isZero();
  }

  @Test
  void aSortIsLeftBetweenTwoComparisons() throws Exception {
    Gate compared = new Gate();
    context.setInterruptOnCancel(true);
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

  /// In a task. It is interrupted last, once whatever could look knows that it is cancelled.
  private static void passWhenCancelled(Gate gate) {
    gate.pass();
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }
}
