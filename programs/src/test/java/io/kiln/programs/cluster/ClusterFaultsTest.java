package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.accumulator.LongAccumulator;
import io.kiln.api.function.Function;
import io.kiln.api.listener.KilnEvent.TaskEnded;
import io.kiln.api.listener.TaskMetrics;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Disks, files, results and classes that fail executors, which live on.
@Timeout(240)
class ClusterFaultsTest {
  @TempDir private Path scratch;
  @TempDir private Path given;

  private KilnConf conf(String master) {
    return Clusters.conf(master, scratch);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  private static String failure(KilnContext context, Runnable job) {
    Throwable failure = catchThrowable(job::run);
    assertThat(failure).isInstanceOf(KilnException.class);
    assertThat(failure.getMessage()).hasLineCount(1);
    assertThat(context.range(0, 10, 1, 4).count()).as("the next job").isEqualTo(10);
    return failure.getMessage();
  }

  // ---- disks ------------------------------------------------------------------------------------

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void aFullDiskFailsTheJobAndNotTheExecutor(@TempDir Path disk) throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()),
        "only root can mount a small disk");
    KilnConf conf =
        Clusters.conf("local-cluster[1,2,256]", disk)
            .set("spark.testing.memory", "1m")
            .set("spark.shuffle.compress", "false")
            .set("spark.shuffle.spill.compress", "false");
    try {
      try (KilnContext context = KilnContext.create(conf)) {
        List<Long> executors = Clusters.executors(context, 4);
        RDD<String> sorted =
            context
                .range(0, 400_000, 1, 4)
                .map(x -> Long.toString(x * 7_919 % 400_000) + " words")
                .sortBy(x -> x, true, 2);
        assertThat(failure(context, sorted::count))
            .contains("disk full: " + disk)
            .containsPattern("needed \\d+ more bytes after \\d+ and \\d+ were free")
            .contains("spark.local.dir");
        assertThat(Clusters.executors(context, 4)).isEqualTo(executors);
        assertThat(context.range(0, 1_000, 1, 4).map(x -> x % 10).distinct(2).count())
            .isEqualTo(10);
      }
      try (Stream<Path> left = Files.list(disk)) {
        assertThat(left).isEmpty();
      }
    } finally {
      // Lazily, as a thread that clears up may be looking at it yet.
      assertThat(run("umount", "--lazy", disk.toString())).isTrue();
    }
  }

  // ---- map outputs ------------------------------------------------------------------------------

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private static final int MAPS = 6;
  private static final int PER_MAP = 2_000;

  /// Says a task of an attempt that the next attempt was faster than.
  private static final String OVERTAKEN = "another attempt has done its work";

  /// The files of map outputs: one of each executor.
  private List<Path> outputFiles() throws IOException {
    try (Stream<Path> files = Files.walk(scratch)) {
      return files
          .filter(file -> file.getFileName().toString().matches("outputs-\\d+\\.data"))
          .toList();
    }
  }

  /// Damages the outputs of one executor between two reads.
  ///
  /// @param errors gets what the tasks said that could not read them
  /// @return which map tasks were run again
  private List<Integer> damaged(Damage damage, List<String> errors) throws IOException {
    List<Integer> mapsAgain = new CopyOnWriteArrayList<>();
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,256]"))) {
      while (Clusters.executors(context, 8).size() < 2) {
        Thread.onSpinWait(); // the other one is still to come
      }
      LongAccumulator computed = context.longAccumulator();
      PairRDD<Integer, Iterable<String>> groups =
          context
              .range(0, MAPS * PER_MAP, 1, MAPS)
              .mapToPair(
                  i -> {
                    computed.add(1);
                    return Pair.of((int) (i % 100), "value " + i);
                  })
              .groupByKey(4);
      assertThat(groups.count()).isEqualTo(100);
      assertThat(computed.value()).isEqualTo(MAPS * PER_MAP);
      context.addListener(
          event -> {
            if (event instanceof TaskEnded end) {
              end.error().filter(error -> !error.equals(OVERTAKEN)).ifPresent(errors::add);
              if (end.metrics().shuffleWrite().records() > 0) {
                mapsAgain.add(end.task().partition());
              }
            }
          });
      damage.to(outputFiles().getFirst());
      assertThat(groups.mapValues(TaskResults::sizeOf).values().reduce(Integer::sum))
          .isEqualTo(MAPS * PER_MAP);
      assertThat(groups.count()).isEqualTo(100);
      assertThat(computed.value()).as("counted once").isEqualTo(MAPS * PER_MAP);
    }
    return mapsAgain;
  }

  @Test
  void deletedMapOutputsAreComputedAgainAndTheirDiskIsBlamed() throws IOException {
    List<String> errors = new CopyOnWriteArrayList<>();
    // A second loss gives up all of that executor, also what it has computed again meanwhile.
    assertThat(Set.copyOf(damaged(Files::delete, errors)))
        .as("those of the other executor are as they were")
        .hasSizeBetween(1, MAPS - 1);
    assertTheDiskIsBlamed(errors);
  }

  /// Who asks once the loss is known only hears that nobody has it.
  private static void assertTheDiskIsBlamed(List<String> errors) {
    assertThat(errors)
        .allMatch(error -> error.matches("(?s)output of map task \\d of shuffle 0.*"))
        .anyMatch(error -> error.matches("(?s).*(executor's disk|disk of the executor).*"));
  }

  @Test
  void aCorruptedMapOutputIsComputedAgainAloneAndItsDiskIsBlamed() throws IOException {
    List<String> errors = new CopyOnWriteArrayList<>();
    assertThat(
            damaged(
                path -> {
                  try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                    long at = file.length() - 200; // before what describes the last output
                    file.seek(at);
                    int stored = file.read();
                    file.seek(at);
                    file.write(~stored);
                  }
                },
                errors))
        .as("the one whose output was the last in the file")
        .hasSize(1);
    assertTheDiskIsBlamed(errors);
  }

  // ---- results ----------------------------------------------------------------------------------

  private static final class TaskResults {
    private static int sizeOf(Iterable<String> values) {
      int size = 0;
      for (String _ : values) {
        size++;
      }
      return size;
    }

    /// Of 2,100 MiB once it is written; here it takes one.
    private static List<byte[]> twoGigabytes() {
      return new ArrayList<>(Collections.nCopies(2_100, new byte[1 << 20]));
    }
  }

  @Test
  void aResultOfTwoGigabytesIsRefusedAtOnce() {
    KilnConf conf = conf("local-cluster[1,1,4096]");
    List<TaskMetrics> ended = new CopyOnWriteArrayList<>();
    try (KilnContext context = KilnContext.create(conf)) {
      List<Long> executors = Clusters.executors(context, 1);
      context.addListener(
          event -> {
            if (event instanceof TaskEnded end && end.error().isPresent()) {
              ended.add(end.metrics());
            }
          });
      assertThat(
              failure(
                  context,
                  () -> context.range(0, 1, 1, 1).map(_ -> TaskResults.twoGigabytes()).collect()))
          .contains("spark.driver.maxResultSize allows (1073741824 bytes)")
          .contains("return less to the driver");
      assertThat(Clusters.executors(context, 1)).isEqualTo(executors);
    }
    assertThat(ended).as("attempts").hasSize(1);
  }

  @Test
  void aResultThatTheHeapDoesNotHoldFailsTheJobAndNotTheExecutor() {
    try (KilnContext context = KilnContext.create(conf("local-cluster[1,1,256]"))) {
      List<Long> executors = Clusters.executors(context, 1);
      assertThat(
              failure(
                  context,
                  () -> context.range(0, 1, 1, 1).map(_ -> TaskResults.twoGigabytes()).collect()))
          .contains("heap");
      assertThat(Clusters.executors(context, 1)).isEqualTo(executors);
    }
  }

  // ---- classes ----------------------------------------------------------------------------------

  private Path compiled(String name, String source) throws IOException {
    Path file = Files.writeString(given.resolve(name + ".java"), source);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                given.toString(),
                file.toString());
    assertThat(result).isZero();
    return given.resolve(name + ".class");
  }

  private static final String FUNCTION =
      """
      public class Hidden implements io.kiln.api.function.Function<Long, Long> {
        @Override public Long apply(Long value) { return value + 1; }
      }
      """;

  @Test
  void aFunctionWhoseClassExecutorsLackNamesTheClass() throws Exception {
    compiled("Hidden", FUNCTION);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {given.toUri().toURL()});
        KilnContext context = KilnContext.create(conf("local-cluster[1,1,256]"))) {
      @SuppressWarnings("unchecked") // it is one
      Function<Long, Long> hidden =
          (Function<Long, Long>) loader.loadClass("Hidden").getConstructor().newInstance();
      List<Long> executors = Clusters.executors(context, 1);
      assertThat(failure(context, () -> context.range(0, 2, 1, 1).map(hidden).count()))
          .contains("class Hidden");
      assertThat(Clusters.executors(context, 1)).isEqualTo(executors);
    }
  }

  @Test
  void aJarThatHasVanishedFailsJobsAndIsNamedUntilItIsBack() throws Exception {
    Path jar = given.resolve("library.jar");
    Path inside = compiled("Hidden", FUNCTION);
    byte[] content = Files.readAllBytes(inside);
    try (KilnContext context = KilnContext.create(conf("local-cluster[1,1,256]"))) {
      List<Long> executors = Clusters.executors(context, 1);
      writeJar(jar, content);
      context.addJar(jar.toString());
      Files.delete(jar);
      Throwable failure = catchThrowable(() -> context.range(0, 2, 1, 1).count());
      assertThat(failure)
          .hasMessageContaining("can't get library.jar")
          .hasMessageContaining(jar + " was there when the application was given it");
      writeJar(jar, content);
      assertThat(
              context
                  .range(0, 2, 1, 1)
                  .map(
                      i -> {
                        ClassLoader loader = Thread.currentThread().getContextClassLoader();
                        return loader.loadClass("Hidden").getName() + i;
                      })
                  .collect())
          .containsExactly("Hidden0", "Hidden1");
      assertThat(Clusters.executors(context, 1)).isEqualTo(executors);
    }
  }

  private static void writeJar(Path jar, byte[] content) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("Hidden.class"));
      out.write(content);
      out.closeEntry();
    }
  }
}
