package io.kiln.programs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// A driver with two executors, in a JVM of its own, that does what a test says by a line on its
/// standard input. Used by one thread.
final class SeparateDriver implements AutoCloseable {
  private static final int RECORDS = 10_000;
  private static final int KEYS = 7;

  private final Path scratch;
  private final Path log;
  private final Process process;
  private final Writer words;
  private final BufferedReader answers;

  /// @param directory for all that it and its executors write
  SeparateDriver(Path directory) throws IOException {
    scratch = Files.createDirectory(directory.resolve("scratch"));
    log = directory.resolve("driver.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            StandardErrorLog.OPTION,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            scratch.toString());
    process = builder.redirectError(log.toFile()).start();
    words = process.outputWriter();
    answers = process.inputReader();
  }

  private String ask(String word) {
    try {
      words.write(word + "\n");
      words.flush();
      String answer = answers.readLine();
      assertThat(answer).as("the driver answers; its log: %s", log()).isNotNull();
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(log(), e);
    }
  }

  /// Runs a job with a shuffle between the executors.
  void assertJobIsRight() {
    Map<Integer, Long> sums = new TreeMap<>();
    for (long i = 0; i < RECORDS; i++) {
      sums.merge((int) (i % KEYS), i, Long::sum);
    }
    assertThat(ask("job")).isEqualTo(sums.toString());
  }

  /// What lives in the driver's heap and in the larger one of the executors'.
  List<Long> heapBytes() {
    return Stream.of(ask("heap").split(" ")).map(Long::valueOf).toList();
  }

  /// What the application's processes prove to each other.
  String secret() {
    return ask("secret");
  }

  /// The driver first.
  List<ProcessHandle> processes() {
    List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
    process.children().sorted().forEach(all::add);
    return all;
  }

  /// What all processes have logged.
  String log() {
    try {
      StringBuilder all = new StringBuilder(Files.readString(log));
      for (File application : scratch.toFile().listFiles()) {
        for (File executor : application.listFiles()) {
          File said = new File(executor, "stderr");
          all.append(said.exists() ? Files.readString(said.toPath()) : "");
        }
      }
      return all.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    words.close();
    try {
      process.onExit().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("the driver does not end: " + log(), e);
    } finally {
      process.destroyForcibly();
    }
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws IOException {
      try (KilnContext context =
              KilnContext.create(
                  Clusters.conf("local-cluster[2,1,256]", Path.of(arguments[0]))
                      .set("spark.executor.extraJavaOptions", StandardErrorLog.OPTION));
          BufferedReader said =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        for (String word = said.readLine(); word != null; word = said.readLine()) {
          System.out.println(
              switch (word) {
                case "job" ->
                    new TreeMap<>(
                        context
                            .range(0, RECORDS, 1, 4)
                            .mapToPair(i -> Pair.of((int) (i % KEYS), i))
                            .reduceByKey(Long::sum, 3)
                            .collectAsMap());
                case "secret" -> Clusters.secretOf(context);
                case "heap" -> usedBytes() + " " + executorBytes(context);
                default -> throw new IllegalArgumentException(word);
              });
        }
      }
    }

    private static long executorBytes(KilnContext context) {
      return context.range(0, 8, 1, 8).map(_ -> usedBytes()).reduce(Math::max);
    }

    private static long usedBytes() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }
}
