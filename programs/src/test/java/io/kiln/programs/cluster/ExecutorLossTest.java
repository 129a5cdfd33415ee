package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kiln.api.HashPartitioner;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Executors end in the middle of their work, and the work is done all the same.
@Timeout(240)
class ExecutorLossTest {
  @TempDir private Path scratch;
  @TempDir private Path marks;

  private KilnConf conf(String master) {
    return Clusters.conf(master, scratch);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    Clusters.removeOutputsOfLost(scratch);
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  /// The first to come ends its process, like a `kill -9` from outside.
  private static void dieOnce(Path mark) {
    if (mark.toFile().mkdir()) {
      try {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid()))
            .start()
            .waitFor();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static PairRDD<Integer, Integer> sums(KilnContext context, int maps, Path mark) {
    String path = mark.toString();
    return context
        .range(0, 1000, 1, maps)
        .mapToPair(
            i -> {
              if (i == 999) {
                dieOnce(Path.of(path));
              }
              return Pair.of((int) (i % 10), 1);
            })
        .reduceByKey(Integer::sum, 4);
  }

  @Test
  void killedInAMapTask() {
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      assertThat(sums(context, 4, marks.resolve("map")).collectAsMap())
          .hasSize(10)
          .allSatisfy((_, count) -> assertThat(count).isEqualTo(100));
    }
  }

  @Test
  void killedWithMapOutputsThatAreStillNeeded() {
    String mark = marks.resolve("reduce").toString();
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      RDD<Pair<Integer, Integer>> read =
          context
              .range(0, 1000, 1, 6)
              .mapToPair(i -> Pair.of((int) (i % 10), 1))
              .reduceByKey(Integer::sum, 4)
              .map(
                  pair -> {
                    dieOnce(Path.of(mark)); // a reduce task, after it has read
                    return pair;
                  });
      assertThat(read.collect()).hasSize(10).allMatch(pair -> pair.value() == 100);
      assertThat(read.collect()).hasSize(10).allMatch(pair -> pair.value() == 100);
    }
  }

  @Test
  void cachedBlocksThatAreLostAreComputedAgain() {
    String mark = marks.resolve("cached").toString();
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      RDD<Long> cached =
          context.range(0, 100, 1, 8).map(i -> i * 2).persist(StorageLevel.MEMORY_ONLY);
      assertThat(cached.reduce(Long::sum)).isEqualTo(9900);
      cached.foreach(_ -> dieOnce(Path.of(mark)));
      assertThat(cached.reduce(Long::sum)).isEqualTo(9900);
    }
  }

  private static PairRDD<Integer, Integer> cachedBehindAShuffle(KilnContext context) {
    PairRDD<Integer, Integer> cached =
        context
            .range(0, 1000, 1, 6)
            .mapToPair(i -> Pair.of((int) (i % 10), 1))
            .reduceByKey(Integer::sum, 8)
            .mapValues(count -> count + 1)
            .persist(StorageLevel.MEMORY_ONLY);
    assertThat(cached.count()).isEqualTo(10);
    return cached;
  }

  @Test
  void whatIsCachedBehindAShuffleIsComputedAgainWhenItIsLostInAJob() {
    String map = marks.resolve("in-map").toString();
    String result = marks.resolve("in-result").toString();
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      PairRDD<Integer, Integer> cached = cachedBehindAShuffle(context);
      PairRDD<Integer, Integer> shuffled =
          cached
              .mapToPair(
                  pair -> {
                    dieOnce(Path.of(map));
                    return pair;
                  })
              .partitionBy(new HashPartitioner(3));
      assertThat(shuffled.values().reduce(Integer::sum)).isEqualTo(1010);
      cached.foreach(_ -> dieOnce(Path.of(result)));
      assertThat(cached.values().reduce(Integer::sum)).isEqualTo(1010);
    }
  }

  /// The driver may believe the blocks to be there still.
  @Test
  void whatIsCachedBehindAShuffleIsComputedAgainWhenEveryExecutorIsLostBetweenJobs() {
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      PairRDD<Integer, Integer> cached = cachedBehindAShuffle(context);
      Clusters.processes(context).forEach(ProcessHandle::destroyForcibly);
      assertThat(cached.values().reduce(Integer::sum)).isEqualTo(1010);
    }
  }

  @Test
  void aTaskThatEndsEveryExecutorFailsItsJobAndTheNextOneRuns() {
    KilnConf conf = conf("local-cluster[2,1,256]").set("spark.executor.maxNumFailures", "10");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThatThrownBy(
              () ->
                  context
                      .range(0, 2, 1, 2)
                      .foreach(
                          i -> {
                            if (i == 1) {
                              Runtime.getRuntime().halt(3);
                            }
                          }))
          .hasMessageContaining("exit code 3");
      assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
    }
  }

  /// The thread's name is that of the engine's own.
  @Test
  @Timeout(120)
  void anExecutorEndsWithAThreadThatItCanNotDoWithout() {
    KilnConf conf = conf("local-cluster[1,1,256]").set("spark.task.maxFailures", "1");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThatThrownBy(
              () ->
                  context
                      .range(0, 1, 1, 1)
                      .foreach(
                          _ -> {
                            Thread.ofPlatform()
                                .name("kiln-executor-lost")
                                .start(
                                    () -> {
                                      throw new IllegalStateException("on purpose");
                                    });
                            Thread.currentThread().join();
                          }))
          .hasMessageContaining("ended after an error that nobody caught")
          .hasMessageContaining("as its thread kiln-executor-lost has died");
    }
  }

  @Test
  void whatALostExecutorWroteStaysWhereTheMessageSays() throws IOException {
    KilnConf conf = conf("local-cluster[1,1,256]").set("spark.task.maxFailures", "1");
    String message;
    try (KilnContext context = KilnContext.create(conf)) {
      message =
          catchThrowable(
                  () ->
                      context
                          .range(0, 1, 1, 1)
                          .foreach(
                              _ -> {
                                for (int i = 0; i < 1_000; i++) {
                                  System.err.println("line " + i);
                                }
                                System.out.println("told");
                                Runtime.getRuntime().halt(3);
                              }))
              .getMessage();
      assertThat(message).hasLineCount(1).contains("exit code 3").contains("line 998 / line 999");
    }
    Matcher place = Pattern.compile("all that it wrote is in (\\S+/executor-0)").matcher(message);
    assertThat(place.find()).as(message).isTrue();
    Path kept = Path.of(place.group(1));
    assertThat(Files.readAllLines(kept.resolve("stderr"))).contains("line 0", "line 999");
    assertThat(Files.readAllLines(kept.resolve("stdout"))).containsExactly("told");
  }

  @Test
  void aStoppedExecutorIsGivenUpAndReplaced() throws IOException {
    KilnConf conf =
        conf("local-cluster[2,1,256]")
            .set("spark.network.timeout", "4s")
            .set("spark.executor.heartbeatInterval", "1s");
    String mark = marks.resolve("stopped").toString();
    try (KilnContext context = KilnContext.create(conf)) {
      long sum =
          context
              .range(0, 100, 1, 8)
              .map(
                  i -> {
                    if (i == 50 && Path.of(mark).toFile().mkdir()) {
                      new ProcessBuilder(
                              "kill", "-STOP", Long.toString(ProcessHandle.current().pid()))
                          .start()
                          .waitFor();
                    }
                    return i;
                  })
              .reduce(Long::sum);
      assertThat(sum).isEqualTo(4950);
    }
  }

  /// Each job loses the executor of a task that is chosen at random, in the middle of that task. A
  /// kill from outside is no fault of the tasks', so the usual limits of failures are kept.
  @Test
  void twentyJobsWithExecutorsKilledAtRandom() throws Exception {
    List<Long> left;
    try (KilnContext context = KilnContext.create(conf("local-cluster[4,1,256]"))) {
      Random random = new Random(7);
      assertThat(Clusters.executors(context, 16)).hasSizeGreaterThan(1); // they are up
      for (int job = 0; job < 20; job++) {
        int factor = job + 1;
        Path mark = marks.resolve("job-" + job);
        String path = mark.toString();
        boolean inMapTask = random.nextBoolean();
        int fatal = inMapTask ? random.nextInt(2000) : random.nextInt(7);
        PairRDD<Integer, Long> counted =
            context
                .parallelize(IntStream.range(0, 2000).boxed().toList(), 8)
                .mapToPair(
                    i -> {
                      if (inMapTask && i == fatal) {
                        dieOnce(Path.of(path));
                      }
                      return Pair.of(i % 7, (long) i * factor);
                    })
                .reduceByKey(Long::sum, 5);
        long total =
            counted
                .map(
                    sum -> {
                      if (!inMapTask && sum.key() == fatal) {
                        dieOnce(Path.of(path));
                      }
                      return sum.value();
                    })
                .reduce(Long::sum);
        assertThat(mark).as("an executor was killed in job %s", job).exists();
        assertThat(total).as("job %s", job).isEqualTo(1999L * 1000 * factor);
        assertThat(counted.sortByKey().keys().collect()).containsExactly(0, 1, 2, 3, 4, 5, 6);
      }
      left = Clusters.processes(context).stream().map(ProcessHandle::pid).toList();
    }
    assertThat(left).isNotEmpty().noneMatch(pid -> ProcessHandle.of(pid).isPresent());
  }
}
