package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kiln.api.Broadcast;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.KilnFiles;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import io.kiln.api.StorageLevel;
import io.kiln.api.accumulator.CollectionAccumulator;
import io.kiln.api.accumulator.LongAccumulator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a program sees where its tasks run in other processes.
@Timeout(120)
class LocalClusterTest {
  @TempDir private static Path scratch;
  private static KilnContext context;

  @BeforeAll
  static void open() {
    context = KilnContext.create(Clusters.conf("local-cluster[2,1,256]", scratch));
  }

  @AfterAll
  static void nothingIsLeft() throws IOException {
    List<Long> executors = Clusters.executors(context, 8);
    context.close();
    assertThat(executors).isNotEmpty().noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void tasksRunInOtherProcesses() {
    assertThat(Clusters.executors(context, 8))
        .hasSize(2)
        .doesNotContain(ProcessHandle.current().pid());
  }

  /// Who knows the secret may pose as any process of the application.
  @Test
  void whatATaskStartsIsToldNoSecret() {
    List<String> seen =
        context
            .range(0, 1, 1, 1)
            .map(
                _ -> {
                  Process child = new ProcessBuilder("env").start();
                  return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                      + System.getenv()
                      + Files.readString(Path.of("/proc/self/environ"));
                })
            .collect();
    assertThat(seen.getFirst()).contains("PATH=").doesNotContain(Clusters.secretOf(context));
    assertThat(seen.getFirst()).doesNotContain("_SPARK_");
  }

  @Test
  void eachSlotCountsForTheDefaultParallelism() {
    assertThat(context.parallelize(List.of(1, 2, 3)).numPartitions()).isEqualTo(2);
  }

  @Test
  void aBroadcastIsReadByAllAndMadeForOne() {
    Map<Integer, String> names = new HashMap<>(Map.of(1, "one", 2, "two"));
    Broadcast<Map<Integer, String>> broadcast = context.broadcast(names);
    names.put(3, "three"); // too late for the tasks

    RDD<String> read =
        context.parallelize(List.of(1, 2, 3), 3).map(i -> "" + broadcast.value().get(i));
    assertThat(read.collect()).containsExactly("one", "two", "null");
    broadcast.unpersist();
    assertThat(read.collect()).containsExactly("one", "two", "null");
    broadcast.destroy();
    assertThatThrownBy(read::collect).hasMessageContaining("was destroyed");
  }

  @Test
  void accumulatorsCountOnce() {
    LongAccumulator sum = context.longAccumulator("sum");
    CollectionAccumulator<String> words = context.collectionAccumulator();
    context
        .range(0, 100, 1, 7)
        .foreach(
            i -> {
              sum.add(i);
              if (i % 50 == 0) {
                words.add("at " + i);
              }
            });
    assertThat(sum.value()).isEqualTo(4950);
    assertThat(words.value()).containsExactlyInAnyOrder("at 0", "at 50");
  }

  @Test
  void whatTasksAddToAccumulatorsInABroadcastArrives() {
    LongAccumulator sum = context.longAccumulator();
    Broadcast<Map<String, LongAccumulator>> byName = context.broadcast(Map.of("sum", sum));
    for (int i = 1; i <= 2; i++) {
      context.range(0, 100, 1, 8).foreach(x -> byName.value().get("sum").add(x));
      assertThat(sum.value()).isEqualTo(4950L * i);
    }
  }

  @Test
  void whatIsPersistedIsReadWhereItLies() {
    LongAccumulator computed = context.longAccumulator();
    RDD<Integer> persisted =
        context
            .parallelize(IntStream.range(0, 1000).boxed().toList(), 6)
            .map(
                i -> {
                  computed.add(1);
                  return i;
                })
            .persist(StorageLevel.MEMORY_ONLY);
    for (int i = 0; i < 5; i++) {
      assertThat(persisted.map(v -> (long) v).reduce(Long::sum)).isEqualTo(499_500);
      assertThat(persisted.coalesce(1).count()).isEqualTo(1000); // one task reads them all
    }
    assertThat(computed.value()).isEqualTo(1000);
    persisted.unpersist(true);
    assertThat(persisted.count()).isEqualTo(1000);
    assertThat(computed.value()).isEqualTo(2000);
  }

  @Test
  void aResultTooLargeForAMessageComesAllTheSame() {
    byte[] large = context.range(0, 1, 1, 1).map(_ -> new byte[5 << 20]).first();
    assertThat(large).hasSize(5 << 20);
  }

  @Test
  void aStageTooLargeForAMessageArrivesAllTheSame() {
    byte[] captured = new byte[3 << 20];
    captured[captured.length - 1] = 7;
    assertThat(context.range(0, 4, 1, 4).map(_ -> captured[captured.length - 1]).collect())
        .containsOnly((byte) 7);
  }

  @Test
  void filesComeToWhereTasksRun(@TempDir Path given) throws IOException {
    Path file = Files.writeString(given.resolve("greeting.txt"), "hello");
    context.addFile(file.toString());
    List<Pair<String, String>> read =
        context
            .range(0, 4, 1, 4)
            .map(
                _ -> {
                  Path here = KilnFiles.get("greeting.txt");
                  return Pair.of(here.getParent().toString(), Files.readString(here));
                })
            .collect();
    assertThat(read).allMatch(pair -> pair.value().equals("hello"));
    assertThat(read.stream().map(Pair::key)).doesNotContain(KilnFiles.rootDirectory().toString());
  }

  @Test
  void directoriesAndProgramsComeAsTheyAre(@TempDir Path given) throws IOException {
    Path tree = Files.createDirectories(given.resolve("tree/deep/empty")).getParent().getParent();
    Files.writeString(tree.resolve("deep/a.txt"), "a");
    Path program = Files.writeString(given.resolve("program.sh"), "#!/bin/sh\necho ran $1\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    context.addFile(tree.toString(), true);
    context.addFile(program.toString());
    List<String> seen =
        context
            .range(0, 4, 1, 4)
            .map(
                _ -> {
                  Process ran =
                      new ProcessBuilder(KilnFiles.get("program.sh").toString(), "here").start();
                  Path deep = KilnFiles.get("tree").resolve("deep");
                  return Files.readString(deep.resolve("a.txt"))
                      + Files.isDirectory(deep.resolve("empty"))
                      + new String(ran.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                })
            .distinct()
            .collect();
    assertThat(seen).containsExactly("atrueran here\n");
  }

  @Test
  void whatEachMachineHasIsNotSent(@TempDir Path given) throws IOException {
    Path file = Files.writeString(given.resolve("everywhere.txt"), "here too");
    context.addFile("local:" + file);
    assertThat(
            context
                .range(0, 2, 1, 2)
                .map(_ -> Files.readString(KilnFiles.get("everywhere.txt")))
                .collect())
        .containsOnly("here too");
  }

  @Test
  void aFailureNamesTheUsersLineAndBringsItsException() {
    KilnException failure =
        catchThrowableOfType(
            KilnException.class,
            () ->
                context
                    .range(0, 10, 1, 2)
                    .foreach(
                        i -> {
                          if (i == 7) {
                            throw new IOException("no room for " + i);
                          }
                        }));
    assertThat(failure)
        .hasMessageContaining("4 times")
        .hasMessageContaining("no room for 7")
        .hasMessageContaining("LocalClusterTest.java:");
    assertThat(failure.getCause()).isInstanceOf(IOException.class).hasMessage("no room for 7");
  }

  @Test
  void aJobIsCancelledWhereItRuns() throws Exception {
    var job = context.range(0, 2, 1, 2).map(LocalClusterTest::untilInterrupted).collectAsync();
    job.cancel(true);
    assertThatThrownBy(job::get).isInstanceOf(Exception.class);
    assertThat(context.range(0, 10, 1, 2).count()).as("the slots are free again").isEqualTo(10);
  }

  private static long untilInterrupted(long value) {
    while (!io.kiln.api.TaskContext.current().orElseThrow().isInterrupted()) {
      Thread.onSpinWait();
    }
    return value;
  }

  @Test
  void unpersistWaitsIfItIsAskedTo() throws IOException {
    RDD<Long> kept = context.range(0, 1_000, 1, 4).persist(StorageLevel.DISK_ONLY);
    kept.count();
    assertThat(blocksOf(kept)).isNotEmpty();

    kept.unpersist(true);

    assertThat(blocksOf(kept)).isEmpty();
  }

  private static List<Path> blocksOf(RDD<?> rdd) throws IOException {
    try (Stream<Path> files = Files.walk(scratch)) {
      return files.filter(file -> file.toString().contains("rdd-" + rdd.id() + "-")).toList();
    }
  }
}
