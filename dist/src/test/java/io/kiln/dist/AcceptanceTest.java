package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One program that uses every public operation of the API and compares each result with what plain
/// Java gives, run as a user runs it: packed by itself, through the scripts, in every mode.
@Timeout(1200)
@Execution(ExecutionMode.CONCURRENT)
class AcceptanceTest {
  private static final long LIMIT_SECONDS = 400;
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";
  private static final String JAVA = "org.apache.spark.serializer.JavaSerializer";

  /// Heartbeats come so often that a listener hears how far a task is. None of the processes lives
  /// long enough to gain by being compiled well.
  private static final List<String> OPTIONS =
      List.of(
          "-c",
          "spark.executor.heartbeatInterval=200ms",
          "-c",
          "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1",
          "--driver-java-options",
          "-XX:TieredStopAtLevel=1");

  /// What the program need not use, and why.
  private static final Map<String, String> EXCLUDED =
      Map.ofEntries(
          Map.entry("KilnContext\\.engine\\(\\)", "for the engine"),
          Map.entry("Accumulator\\.(registered|asksForTask|taskEnded)\\(.*", "for the engine"),
          Map.entry("LostAccumulators\\..*", "for the engine"),
          Map.entry("Lineage\\.places\\(.*", "for the engine"),
          Map.entry(
              "(PairRDD|DoubleRDD)\\.compute\\(.*", "for the engine, which reads views by it"),
          Map.entry("new (Dependency|TaskContext)\\(\\)", "for the engine's own subclasses"),
          Map.entry("new (JobStatus|StageStatus)\\(.*", "made by the engine"),
          Map.entry("new KilnEvent\\..*", "made by the engine"),
          Map.entry("new TaskMetrics[.(].*", "made by the engine"),
          Map.entry("TaskMetrics\\..*NONE", "for the engine, where there is nothing to tell"),
          Map.entry("Supplier\\.get\\(\\)", "no public operation takes one"));

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path program;

  @BeforeAll
  static void compileProgram() throws IOException {
    program = ProbeJar.ofAcceptance(shared);
  }

  @Test
  void theProgramUsesEveryPublicOperation() throws Exception {
    Set<String> operations = ApiUse.operations();
    Set<String> used = ApiUse.usedBy(shared.resolve("acceptance-classes"));

    Set<String> unused = new TreeSet<>(operations);
    unused.removeAll(used);
    unused.removeIf(name -> EXCLUDED.keySet().stream().anyMatch(name::matches));
    assertThat(unused).as("to be used by the program, or excluded here with a reason").isEmpty();
    assertThat(EXCLUDED.keySet())
        .as("reasons that are needed")
        .allMatch(
            pattern ->
                operations.stream()
                    .anyMatch(name -> name.matches(pattern) && !used.contains(name)));
  }

  @ParameterizedTest
  @CsvSource({"local[2]," + JAVA, "'local-cluster[2,1,1024]'," + KRYO})
  void everyOperationGivesWhatItShould(String master, String serializer) throws Exception {
    assertPassed(
        new Command(
                directory,
                words(
                    List.of(
                        Layout.HOME.resolve("bin/spark-submit"),
                        "--master",
                        master,
                        "-c",
                        "spark.serializer=" + serializer,
                        "-c",
                        "spark.local.dir=" + directory)))
            .runWithin(LIMIT_SECONDS));
  }

  @Test
  void everyOperationGivesWhatItShouldOnACluster() throws Exception {
    StandaloneCluster cluster = new StandaloneCluster(directory, program);
    try {
      String url = cluster.startMaster();
      cluster.startWorkers(url, 2);

      assertPassed(
          cluster.spark(url, words(List.of("--executor-memory", "512m"))).runWithin(LIMIT_SECONDS));

      Result submitted =
          cluster
              .spark(
                  url,
                  words(
                      List.of(
                          "--deploy-mode",
                          "cluster",
                          "--driver-memory",
                          "512m",
                          "--executor-memory",
                          "512m",
                          "-c",
                          "spark.standalone.submit.waitAppCompletion=true")))
              .runWithin(LIMIT_SECONDS);
      String driver = submitted.err().replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");
      Path output = directory.resolve("work").resolve(driver);
      assertPassed(
          new Result(
              submitted.exitCode(),
              Files.readString(output.resolve("stdout")),
              submitted.err() + Files.readString(output.resolve("stderr"))));
    } finally {
      cluster.stop();
    }
  }

  @Test
  void everyOperationGivesWhatItShouldInTheShell() throws Exception {
    List<Object> words =
        new ArrayList<>(
            List.of(
                Layout.HOME.resolve("bin/spark-shell"),
                "--master",
                "local-cluster[1,2,1024]",
                "-c",
                "spark.local.dir=" + directory,
                "--jars",
                program));
    words.addAll(OPTIONS);
    assertPassed(
        new Command(directory, words.toArray())
            .withInput(
                "acceptance.Acceptance.run(sc, \"%s\", \"%s\")\n"
                    .formatted(directory.resolve("data"), shared.resolve("late.jar")))
            .runWithin(LIMIT_SECONDS));
  }

  /// Each line with a question gives `true`.
  private static final String TYPED =
      """
      record Town(String name, int people) implements Comparable<Town>, Serializable {
        public int compareTo(Town other) { return name.compareTo(other.name); }
      }
      enum Size { SMALL, LARGE }
      class Mayor implements Serializable { final Town town; Mayor(Town town) { this.town = town; } }
      Size sizeOf(Town town) { return town.people() < 100 ? Size.SMALL : Size.LARGE; }
      var list = List.of(new Town("b", 50), new Town("a", 5), new Town("c", 500), new Town("a", 5))
      var towns = sc.parallelize(list, 3)
      towns.collect().equals(list)
      towns.map(t -> new Mayor(t)).map(m -> m.town).collect().equals(list)
      towns.map(t -> sizeOf(t)).collect().equals(List.of(Size.SMALL, Size.SMALL, Size.LARGE, Size.SMALL))
      towns.sortBy(t -> t, false, 2).collect().equals(list.stream().sorted(Comparator.reverseOrder()).toList())
      towns.distinct().count() == 3
      towns.mapToPair(t -> Pair.of(t, 1)).reduceByKey(Integer::sum).collectAsMap().get(new Town("a", 5)) == 2
      towns.keyBy(t -> sizeOf(t).name()).groupByKey(2).mapValues(all -> { int n = 0; for (Town t : all) n += t.people(); return n; }).lookup("SMALL").equals(List.of(60))
      towns.keyBy(Town::name).leftOuterJoin(towns.filter(t -> t.people() > 10).keyBy(Town::name)).filter(p -> p.value().value().isEmpty()).count() == 2
      towns.aggregate(new ArrayList<Town>(), (all, t) -> { all.add(t); return all; }, (a, b) -> { a.addAll(b); return a; }).equals(list)
      towns.max((a, b) -> a.people() - b.people()).equals(list.get(2))
      towns.top(1).equals(List.of(list.get(2)))
      towns.persist(StorageLevel.MEMORY_AND_DISK_SER_2).count() + towns.count() == 8
      towns.unpersist(true).collect().equals(list)
      var known = sc.broadcast(list)
      towns.map(t -> known.value().indexOf(t)).collect().equals(List.of(0, 1, 2, 1))
      int seen() { var seen = sc.<Town>collectionAccumulator("seen"); towns.foreach(t -> seen.add(t)); return seen.value().size(); }
      seen() == 4
      towns.saveAsObjectFile("DATA/towns")
      sc.<Town>objectFile("DATA/towns").sortBy(t -> t).collect().equals(list.stream().sorted().toList())
      towns.saveAsTextFile("DATA/text", "gzip")
      sc.textFile("DATA/text").filter(line -> line.equals("Town[name=a, people=5]")).count() == 2
      sc.binaryFiles("DATA/text").collect().stream().filter(p -> p.key().endsWith(".gz")).count() == 3
      sc.setCheckpointDir("DATA/checkpoints")
      var kept = towns.map(t -> new Town(t.name() + "!", t.people()))
      kept.checkpoint()
      kept.count() == 4
      kept.isCheckpointed() && kept.first().name().equals("b!")
      towns.zipWithIndex().mapValues(i -> i + list.size()).values().collect().equals(List.of(4L, 5L, 6L, 7L))
      towns.pipe("wc -l").map(n -> Integer.parseInt(n.trim())).reduce(Integer::sum) == 4
      towns.mapPartitions(all -> List.of(TaskContext.current().orElseThrow().partitionId()).iterator()).collect().equals(List.of(0, 1, 2))
      towns.collectAsync().get().equals(list)
      sc.runJob(towns, all -> { Town t = null; while (all.hasNext()) t = all.next(); return t; }).get(2).equals(list.get(3))
      """;

  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[2,1,1024]"})
  void whatIsTypedAtThePromptGivesWhatItShould(String master) throws Exception {
    Result result =
        new Command(
                directory,
                Layout.HOME.resolve("bin/spark-shell"),
                "--master",
                master,
                "-c",
                "spark.local.dir=" + directory)
            .withInput(TYPED.replace("DATA", directory.toString()))
            .runWithin(LIMIT_SECONDS);

    List<String> answers =
        result.out().lines().filter(line -> line.startsWith("boolean ")).toList();
    assertThat(answers).as("%s", result).hasSize(25).allMatch(line -> line.endsWith("= true"));
    assertThat(result.exitCode()).as("%s", result).isZero();
  }

  /// @param first the command and its options
  private Object[] words(List<Object> first) throws IOException {
    List<Object> words = new ArrayList<>(first);
    words.addAll(OPTIONS);
    words.addAll(List.of("--class", "acceptance.Acceptance", program));
    words.add(Files.createTempDirectory(directory, "data"));
    words.add(shared.resolve("late.jar"));
    return words.toArray();
  }

  private static void assertPassed(Result result) {
    assertThat(result.out().lines().filter(line -> !line.startsWith("passed ")))
        .as("%s", result.err())
        .anyMatch(line -> line.matches("acceptance: [0-9]+ passed, 0 failed"));
    assertThat(result.exitCode()).as("%s", result.err()).isZero();
  }
}
