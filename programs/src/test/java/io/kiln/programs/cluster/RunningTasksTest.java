package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.accumulator.Accumulator;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.accumulator.LongAccumulator;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnEvent.AccumulatorValue;
import io.kiln.api.listener.KilnEvent.ExecutorMetricsUpdate;
import io.kiln.api.listener.KilnEvent.TaskEnded;
import io.kiln.api.listener.KilnEvent.TaskProgress;
import io.kiln.api.listener.TaskMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be seen of tasks while they run, and what is told of them at their end.
@Timeout(120)
class RunningTasksTest {
  @TempDir private Path scratch;
  @TempDir private Path marks;

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  private KilnConf conf(String master) {
    return Clusters.conf(master, scratch).set("spark.executor.heartbeatInterval", "100ms");
  }

  private static void awaitFile(String file) {
    while (!Files.exists(Path.of(file))) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// Can't be looked at by another thread.
  private static final class Shy extends Accumulator<Long, Long> {
    private static final long serialVersionUID = 1L;
    private long sum;
    private transient Thread owner;

    @Override
    public boolean isZero() {
      return sum == 0;
    }

    @Override
    public Shy copy() {
      if (owner != null && owner != Thread.currentThread()) {
        throw new IllegalStateException("I am another's");
      }
      Shy copy = new Shy();
      copy.sum = sum;
      return copy;
    }

    @Override
    public void reset() {
      sum = 0;
    }

    @Override
    public void add(Long value) {
      owner = Thread.currentThread();
      sum += value;
    }

    @Override
    public void merge(Accumulator<Long, Long> other) {
      sum += ((Shy) other).sum;
    }

    @Override
    public Long value() {
      return sum;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[1,2,256]"})
  void whatRunningTasksHaveCountedIsSeenAndCountsOnce(String master) {
    Path seen = marks.resolve("seen");
    String file = seen.toString();
    List<KilnEvent> heard = new CopyOnWriteArrayList<>();
    Set<Long> tasks = new HashSet<>();
    try (KilnContext context = KilnContext.create(conf(master))) {
      LongAccumulator sum = context.longAccumulator("sum");
      CollectionAccumulator<byte[]> large = context.collectionAccumulator();
      Shy shy = new Shy();
      context.register(shy);
      context.addListener(
          event -> {
            heard.add(event);
            if (event instanceof ExecutorMetricsUpdate update) {
              for (TaskProgress task : update.tasks()) {
                if (!task.accumulators().isEmpty()) {
                  tasks.add(task.task().taskId());
                }
              }
              if (tasks.size() == 2) {
                boolean _ = seen.toFile().mkdir();
              }
            }
          });
      context
          .range(0, 2, 1, 2)
          .foreach(
              i -> {
                sum.add(5 + i);
                large.add(new byte[1 << 20]);
                shy.add(1L);
                awaitFile(file);
              });
      assertThat(sum.value()).isEqualTo(11);
      assertThat(large.value()).hasSize(2);
      assertThat(shy.value()).isEqualTo(2);
    }
    Set<Long> ended = new HashSet<>();
    boolean isLocal = master.startsWith("local[");
    for (KilnEvent event : heard) {
      if (event instanceof TaskEnded end) {
        ended.add(end.task().taskId());
      } else if (event instanceof ExecutorMetricsUpdate update) {
        assertThat(update.executorId()).isEqualTo(isLocal ? "driver" : "0");
        for (TaskProgress task : update.tasks()) {
          assertThat(ended).doesNotContain(task.task().taskId());
          assertThat(task.metrics().times().totalNanos()).isPositive();
          for (AccumulatorValue value : task.accumulators()) {
            if (value.name().equals(Optional.of("sum"))) {
              assertThat(value.value()).isEqualTo(5L + task.task().partition());
            } else {
              assertThat(isLocal).as("a large value in a message").isTrue();
              assertThat((List<?>) value.value()).hasSize(1);
            }
          }
        }
      }
    }
    assertThat(heard)
        .anyMatch(
            event ->
                event instanceof ExecutorMetricsUpdate update
                    && update.tasks().stream()
                        .anyMatch(
                            task ->
                                task.metrics().times().cpuNanos() > 0
                                    && !task.accumulators().isEmpty()));
  }

  @Test
  void whatATaskUsedIsToldByOtherProcesses() {
    List<TaskMetrics> maps = new CopyOnWriteArrayList<>();
    List<TaskMetrics> reduces = new CopyOnWriteArrayList<>();
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      while (Clusters.executors(context, 8).size() < 2) { // then each gets a map task
        Thread.onSpinWait();
      }
      context.addListener(
          event -> {
            if (event instanceof TaskEnded end) {
              (end.metrics().shuffleWrite().records() > 0 ? maps : reduces).add(end.metrics());
            }
          });
      assertThat(
              context
                  .range(0, 400_000, 1, 8)
                  .mapToPair(i -> Pair.of(i, "value " + i))
                  .groupByKey(4)
                  .count())
          .isEqualTo(400_000);
    }
    assertThat(maps).hasSize(8);
    assertThat(reduces).hasSize(4);
    for (TaskMetrics map : maps) {
      assertThat(map.shuffleWrite().records()).isEqualTo(50_000);
      assertThat(map.shuffleWrite().nanos()).isPositive();
      assertThat(map.peakMemoryBytes()).isPositive();
      assertThat(map.times().cpuNanos()).isBetween(1L, map.times().runNanos());
      assertThat(map.shuffleRead()).isEqualTo(TaskMetrics.ShuffleRead.NONE);
    }
    assertThat(maps).anyMatch(map -> map.times().deserializeNanos() > 0);
    long read = 0;
    for (TaskMetrics reduce : reduces) {
      TaskMetrics.ShuffleRead shuffle = reduce.shuffleRead();
      assertThat(shuffle.records()).isEqualTo(100_000);
      assertThat(shuffle.local().count() + shuffle.remote().count()).isEqualTo(8);
      assertThat(shuffle.requests()).isEqualTo(shuffle.remote().count() > 0 ? 1 : 0);
      read += shuffle.bytes();
      assertThat(reduce.resultSizeBytes()).isPositive();
    }
    assertThat(reduces).anyMatch(reduce -> reduce.shuffleRead().remote().bytes() > 0);
    assertThat(read).isEqualTo(maps.stream().mapToLong(map -> map.shuffleWrite().bytes()).sum());
  }

  private static long awaitInUsersCode(String file, long value) {
    awaitFile(file);
    return value;
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[1]", "local-cluster[1,1,256]"})
  void aThreadDumpShowsWhereATaskIs(String master) throws Exception {
    Path end = marks.resolve("end");
    String file = end.toString();
    String executor = master.startsWith("local[") ? "driver" : "0";
    try (KilnContext context = KilnContext.create(conf(master))) {
      JobFuture<List<Long>> job =
          context.range(0, 1, 1, 1).map(i -> awaitInUsersCode(file, i)).collectAsync();
      String dump = context.executorThreadDump(executor).orElse("");
      while (!dump.contains("awaitInUsersCode")) {
        dump = context.executorThreadDump(executor).orElse("");
      }
      assertThat(dump).contains("\"kiln-executor-task-0\"").contains("RunningTasksTest.java:");
      assertThat(context.executorThreadDump("nobody")).isEmpty();
      Files.writeString(end, "");
      assertThat(job.get()).containsExactly(0L);
    }
  }

  /// Looks at nothing.
  private static long forEver(long value) {
    while (value < Long.MAX_VALUE) {
      Thread.onSpinWait();
    }
    return value;
  }

  @Test
  void anExecutorWhoseKilledTaskWillNotStopEndsAndAnotherTakesItsPlace() throws Exception {
    KilnConf conf =
        conf("local-cluster[1,1,256]")
            .set("spark.task.reaper.pollingInterval", "200ms")
            .set("spark.task.reaper.killTimeout", "1s");
    BlockingQueue<String> removed = new LinkedBlockingQueue<>();
    String begun = marks.resolve("begun").toString();
    try (KilnContext context = KilnContext.create(conf)) {
      context.addListener(
          event -> {
            if (event instanceof KilnEvent.ExecutorRemoved gone) {
              removed.add(gone.reason());
            }
          });
      JobFuture<List<Long>> job =
          context
              .range(0, 1, 1, 1)
              .map(
                  i -> {
                    Files.writeString(Path.of(begun), "");
                    return forEver(i);
                  })
              .collectAsync();
      awaitFile(begun);
      job.cancel(true);
      assertThatThrownBy(job::get).isInstanceOf(Exception.class);
      assertThat(context.range(0, 10, 1, 4).count()).isEqualTo(10); // its slot is taken till then
      assertThat(removed.take())
          .contains("a killed task would not stop (exit code 57)")
          .contains("partition 0 of stage 0.0");
    }
    Clusters.removeOutputsOfLost(scratch);
  }
}
