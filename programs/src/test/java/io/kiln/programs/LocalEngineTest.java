package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class LocalEngineTest {

  @Test
  void runsAJob() {
    try (KilnContext context = Contexts.open("local[2]")) {
      assertThat(context.range(0, 100, 1, 7).map(x -> x + 1).count()).isEqualTo(100);
    }
  }

  @Test
  void takesTheNumberOfSlotsForThePartitions() {
    try (KilnContext context = Contexts.open("local[3]")) {
      assertThat(context.parallelize(List.of(1, 2, 3, 4)).numPartitions()).isEqualTo(3);
    }
    KilnConf conf = Contexts.conf("local[3]").set("spark.default.parallelism", "5");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThat(context.parallelize(List.of(1, 2, 3, 4)).numPartitions()).isEqualTo(5);
    }
  }

  @Test
  void runsOnlyThePartitionsAskedFor() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Long> rdd = context.range(0, 100, 1, 10);
      List<Integer> seen =
          context.runJob(rdd, (task, _) -> task.partitionId(), new int[] {7, 2, 9});
      assertThat(seen).containsExactly(7, 2, 9);
      assertThat(context.runJob(rdd, (task, _) -> task.partitionId(), new int[0])).isEmpty();
    }
  }

  @Test
  void jobsFromManyThreadsDoNotMixUp() throws Exception {
    try (KilnContext context = Contexts.open("local[4]");
        ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Callable<Long>> calls = new ArrayList<>();
      for (int caller = 0; caller < 200; caller++) {
        long size = caller;
        calls.add(() -> context.range(0, size, 1, 1 + (int) (size % 5)).count());
      }
      List<Future<Long>> counts = callers.invokeAll(calls);
      for (int caller = 0; caller < counts.size(); caller++) {
        assertThat(counts.get(caller).get()).isEqualTo(caller);
      }
    }
  }

  @Test
  void twoContextsLiveSideBySide() {
    try (KilnContext first = Contexts.open("local[2]");
        KilnContext second = Contexts.open("local[1]")) {
      RDD<Long> ofFirst = first.range(0, 10, 1, 2);
      RDD<Long> ofSecond = second.range(0, 20, 1, 2);
      assertThat(ofFirst.count()).isEqualTo(10);
      second.engine().close();
      assertThat(ofFirst.count()).isEqualTo(10);
      assertThatThrownBy(ofSecond::count)
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("CONTEXT_CLOSED"));
      assertThat(first.engine().applicationId()).isNotEqualTo(second.engine().applicationId());
    }
  }

  @Test
  void localPropertiesReachTheTasks() {
    try (KilnContext context = Contexts.open("local[2]")) {
      context.setLocalProperty("colour", "blue");
      List<String> seen =
          context.runJob(
              context.range(0, 2, 1, 2), (task, _) -> task.localProperty("colour").orElse("none"));
      assertThat(seen).containsExactly("blue", "blue");
    }
  }

  @Test
  void aTaskCanNotRunAJob() {
    try (KilnContext context = Contexts.open("local[1]")) {
      RDD<Long> inner = context.range(0, 3, 1, 1);
      RDD<Long> outer = context.range(0, 3, 1, 1).map(x -> x + inner.count());
      assertThatThrownBy(outer::count)
          .isInstanceOfSatisfying(
              KilnException.class,
              e -> {
                assertThat(e.code()).isEqualTo("JOB_FAILED");
                assertThat(e.getMessage()).contains("called inside a task");
              });
    }
  }

  @Test
  void noTaskIsCurrentOutsideTasks() {
    try (KilnContext context = Contexts.open("local[1]")) {
      context.range(0, 3, 1, 1).count();
      assertThat(TaskContext.current()).isEmpty();
    }
  }

  @Test
  void closingFailsRunningJobsAndIsIdempotent() throws Exception {
    KilnContext context = Contexts.open("local[2]");
    Gate gate = new Gate();
    try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
      Future<Long> count =
          caller.submit(() -> context.range(0, 2, 1, 2).map(x -> gate.hold(x)).count());
      gate.awaitHeld(2);
      context.close();
      context.close();
      assertThatThrownBy(() -> count.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              KilnException.class,
              e -> {
                assertThat(e.code()).isEqualTo("CONTEXT_CLOSED");
                assertThat(e.getMessage()).contains("context was closed");
              });
    } finally {
      gate.open();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "spark.master, locl[2], MASTER_INVALID",
    "spark.driver.maxResultSize, much, SETTING_INVALID",
    "spark.default.parallelism, 0, SETTING_INVALID",
    "spark.memory.fraction, 2, SETTING_INVALID",
    "spark.extraListeners, no.such.Listener, SETTING_INVALID",
    "spark.local.dir, /proc/kiln, LOCAL_DIR_UNUSABLE",
    "spark.jars, /no/such.jar, INPUT_PATH_MISSING",
  })
  void aSettingThatCanNotBeUsedIsRefusedInOneLine(String key, String value, String code) {
    assertThatThrownBy(() -> KilnContext.create(Contexts.conf("local").set(key, value)).close())
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(value).hasLineCount(1);
            });
  }

  @Test
  void aHundredThousandTasks() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Long> rdd = context.range(0, 100_000, 1, 100_000);
      List<Integer> partitions = context.runJob(rdd, (task, _) -> task.partitionId());
      assertThat(partitions).isEqualTo(IntStream.range(0, 100_000).boxed().toList());
    }
  }

  @Test
  void aPartitionThatIsAskedForTwiceIsGivenTwice() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Integer> rdd = context.parallelize(List.of(1, 2, 3, 4), 4);
      assertThat(rdd.collectPartitions(1, 1)).containsExactly(List.of(2), List.of(2));
      assertThat(rdd.collectPartitions(3, 0, 3))
          .containsExactly(List.of(4), List.of(1), List.of(4));
    }
  }

  @Test
  void aJobOfAClosedContextSaysWhichItWas() throws Exception {
    Gate gate = new Gate();
    KilnContext context = Contexts.open("local[1]");
    JobFuture<Void> job = context.range(0, 1, 1, 1).foreachAsync(gate::hold);
    gate.awaitHeld(1);

    context.close();

    assertThatThrownBy(job::await)
        .hasMessageMatching(
            "job 0 \\(foreachAsync at LocalEngineTest.java:\\d+\\) failed: the context was closed"
                + " while it ran; .*");
  }
}
