package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import io.kiln.api.accumulator.LongAccumulator;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnEvent.ExecutorRemoved;
import io.kiln.api.listener.KilnEvent.StageSubmitted;
import io.kiln.api.listener.KilnEvent.TaskEnded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Executors that get the signal to go: what they have is moved, and nothing is computed again.
@Timeout(120)
class DecommissionTest {
  private static final int RECORDS = 1_000;

  @TempDir private Path scratch;
  @TempDir private Path marks;

  private final LinkedBlockingQueue<ExecutorRemoved> removed = new LinkedBlockingQueue<>();
  private final List<KilnEvent> events = new CopyOnWriteArrayList<>();

  private KilnConf conf(String master) {
    return Clusters.conf(master, scratch)
        .set("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
        .set("spark.decommission.enabled", "true")
        .set("spark.storage.decommission.enabled", "true")
        .set("spark.storage.decommission.replicationReattemptInterval", "10s");
  }

  private KilnContext create(KilnConf conf) {
    KilnContext context = KilnContext.create(conf);
    context.addListener(
        event -> {
          events.add(event);
          if (event instanceof ExecutorRemoved gone) {
            removed.add(gone);
          }
        });
    return context;
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  private static void signal(long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-PWR", Long.toString(pid)).start().waitFor()).isZero();
  }

  /// By a signal; returns when the process has ended.
  private void decommission(long pid) throws Exception {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    signal(pid);
    ExecutorRemoved gone = removed.take();
    assertThat(gone.reason()).isEqualTo("has moved what it had, and left");
    process.onExit().join();
  }

  private static void awaitFile(String file) {
    while (!Files.exists(Path.of(file))) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static Map<Integer, Integer> tenths(PairRDD<Integer, Integer> sums) {
    return sums.collect().stream().collect(Collectors.toMap(Pair::key, Pair::value));
  }

  private static PairRDD<Integer, Integer> counted(KilnContext context, LongAccumulator runs) {
    return context
        .range(0, RECORDS, 1, 8)
        .mapToPair(
            i -> {
              runs.add(1);
              return Pair.of((int) (i % 10), 1);
            })
        .reduceByKey(Integer::sum, 4);
  }

  @Test
  void blocksAndMapOutputsGoToOthersAgainAndAgain() throws Exception {
    try (KilnContext context = create(conf("local-cluster[2,2,256]"))) {
      LongAccumulator cachedRuns = context.longAccumulator("cached");
      LongAccumulator mapRuns = context.longAccumulator("maps");
      RDD<Long> cached =
          context
              .range(0, RECORDS, 1, 8)
              .map(
                  i -> {
                    cachedRuns.add(1);
                    return i * 2;
                  })
              .persist(StorageLevel.MEMORY_ONLY);
      RDD<Long> serialized = cached.map(i -> i + 1).persist(StorageLevel.MEMORY_AND_DISK_SER);
      PairRDD<Integer, Integer> shuffled = counted(context, mapRuns);
      long sum = cached.reduce(Long::sum);
      long serializedSum = serialized.reduce(Long::sum);
      Map<Integer, Integer> tenths = tenths(shuffled);

      List<Long> left = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long next = Clusters.executors(context, 8).getFirst();
        assertThat(left).doesNotContain(next);
        left.add(next);
        decommission(next);

        assertThat(cached.reduce(Long::sum)).isEqualTo(sum);
        assertThat(serialized.reduce(Long::sum)).isEqualTo(serializedSum);
        assertThat(tenths(shuffled)).isEqualTo(tenths);
      }

      assertNothingFailed();
      assertThat(cachedRuns.value()).isEqualTo(RECORDS);
      assertThat(mapRuns.value()).isEqualTo(RECORDS);
    }
  }

  @Test
  void whatRunsMayFinishAndNothingMoreComes() throws Exception {
    String go = marks.resolve("go").toString();
    String pids = marks.resolve("pid").toString();
    try (KilnContext context = create(conf("local-cluster[2,1,256]"))) {
      Clusters.executors(context, 4);
      LongAccumulator mapRuns = context.longAccumulator("maps");
      JobFuture<Long> first =
          context
              .range(0, 1, 1, 1)
              .map(
                  i -> {
                    Files.createFile(Path.of(pids + ProcessHandle.current().pid()));
                    awaitFile(go);
                    return i;
                  })
              .countAsync();
      long pid = onlyPid();
      signal(pid);
      while (events.stream().noneMatch(event -> isReplacement(event))) {
        LockSupport.parkNanos(1_000_000);
      }

      assertThat(Clusters.executors(context, 8)).hasSize(2).doesNotContain(pid);
      Map<Integer, Integer> tenths = tenths(counted(context, mapRuns));
      assertThat(tenths).hasSize(10).allSatisfy((_, n) -> assertThat(n).isEqualTo(100));
      assertThat(ProcessHandle.of(pid).orElseThrow().isAlive()).isTrue();
      assertThat(removed).isEmpty();
      Files.createFile(Path.of(go));

      assertThat(first.get()).isEqualTo(1);
      assertThat(removed.take().reason()).isEqualTo("has moved what it had, and left");
      assertNothingFailed();
    }
  }

  private long onlyPid() throws IOException {
    while (true) {
      try (Stream<Path> files = Files.list(marks)) {
        List<Path> found = files.toList();
        if (!found.isEmpty()) {
          return Long.parseLong(
              found.getFirst().getFileName().toString().substring("pid".length()));
        }
      }
    }
  }

  private static boolean isReplacement(KilnEvent event) {
    return event instanceof KilnEvent.ExecutorAdded added && added.executorId().equals("2");
  }

  private void assertNothingFailed() {
    assertThat(events)
        .noneMatch(event -> event instanceof TaskEnded ended && ended.error().isPresent())
        .noneMatch(event -> event instanceof StageSubmitted begun && begun.stage().attempt() > 0);
  }
}
