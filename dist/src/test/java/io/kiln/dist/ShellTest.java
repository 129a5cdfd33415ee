package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The shell as a script uses it: snippets piped in, what they print out, and the exit code.
class ShellTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[2,1,512]"})
  void whatIsDefinedAtThePromptWorksInTasks(String master) throws Exception {
    Result result =
        run(
            """
            record Word(String text, int length) implements Serializable {}
            int twice(int x) { return x * 2; }
            int more = 100
            sc.parallelize(List.of(1, 2, 3), 2).map(x -> twice(x) + more).collect()
            int twice(int x) { return x * 3; }
            more = 200
            sc.parallelize(List.of(1, 2, 3), 2)
              .map(x -> twice(x) + more)
              .collect()
            var words = sc.parallelize(List.of("a", "bb", "a"), 2).map(w -> new Word(w, w.length()))
            words.groupBy(word -> word).mapValues(same -> same.toString()).sortBy(p -> p.key().text(), true, 1).collect()
            class Offset implements Serializable { final List<Integer> by; Offset(List<Integer> by) { this.by = by; } }
            Offset offset = new Offset(new ArrayList<>(List.of(7)))
            long plus(Offset o) { return sc.range(0, 4, 1, 2).map(x -> x + o.by.get(0)).reduce(Long::sum); }
            plus(offset)
            """,
            "--master",
            master);

    assertThat(failuresOf(result)).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            Defined record Word
            Defined method twice(int)
            int more = 100
            List<Integer> $1 = [102, 104, 106]
            Redefined method twice(int)
            int more = 200
            List<Integer> $2 = [203, 206, 209]
            RDD<Word> words = MapRDD[5] at map at #8:1
            List<Pair<Word,String>> $3 = [(Word[text=a, length=1],[Word[text=a, length=1], \
            Word[text=a, length=1]]), (Word[text=bb, length=2],[Word[text=bb, length=2]])]
            Defined class Offset
            """
                + result
                    .out()
                    .lines()
                    .filter(line -> line.startsWith("Offset offset"))
                    .findFirst()
                    .orElse("?")
                + """

                Defined method plus(Offset)
                long $4 = 34
                """);
    assertThat(result.exitCode()).isZero();
    assertThat(left()).isEmpty();
  }

  /// A variable has in a task the value it has when the job is asked for, wherever the task runs.
  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[1,2,512]"})
  void whatAVariableHoldsReachesTasksThroughMethodsAndClasses(String master) throws Exception {
    Result result =
        run(
            """
            int more = 1
            int[] seen = {1}
            class Adding implements Serializable { int to(int x) { return x + more + seen[0]; } }
            Adding adding = new Adding()
            var sums = sc.parallelize(List.of(1, 2, 3), 2).map(x -> adding.to(x))
            sums.collect()
            more = 10
            seen[0] = 100
            sums.collect()
            sc.parallelize(List.of(1), 1).map(x -> new Adding().to(x)).collect()
            sc.parallelize(List.of(1), 1).map(x -> Stream.of(x).map(y -> y + more).toList().get(0)).collect()
            """,
            "--master", master);

    assertThat(result.out().lines().filter(line -> line.startsWith("List<Integer>")))
        .containsExactly(
            "List<Integer> $1 = [3, 4, 5]",
            "List<Integer> $3 = [111, 112, 113]",
            "List<Integer> $4 = [111]",
            "List<Integer> $5 = [11]");
    assertThat(failuresOf(result)).isEmpty();
  }

  /// The variable is one for all tasks of a process; what they add is each task's own.
  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[2,2,512]"})
  void whatTasksAddToAccumulatorsInVariablesArrives(String master) throws Exception {
    Result result =
        run(
            """
            import io.kiln.api.accumulator.*
            var seen = sc.longAccumulator()
            var halves = sc.doubleAccumulator()
            CollectionAccumulator<Long> kept = sc.collectionAccumulator()
            Map<String, LongAccumulator> byName = Map.of("a", sc.longAccumulator())
            void count(long x) { seen.add(1); halves.add(0.5); kept.add(x); byName.get("a").add(1); }
            var counted = sc.range(0, 2000, 1, 8).map(x -> { count(x); return x; })
            counted.count() + counted.count()
            seen.value() + " " + halves.value() + " " + kept.value().size() + " " + byName.get("a").value()
            sc.range(0, 8, 1, 8).map(x -> { seen.add(1); seen.add(1); return seen.value(); }).distinct().collect()
            """,
            "--master",
            master);

    assertThat(result.out().lines().filter(line -> line.matches("\\S+ \\$.*")))
        .containsExactly(
            "long $1 = 4000", "String $2 = \"4000 2000.0 4000 4000\"", "List<Long> $3 = [2]");
    assertThat(failuresOf(result)).isEmpty();
  }

  @Test
  void anAccumulatorOfOnesOwnIsRefusedInAVariableAndWorksAsAParameter() throws Exception {
    Result result =
        run(
            """
            import io.kiln.api.accumulator.Accumulator
            class Most extends Accumulator<Long, Long> {
              long most;
              public boolean isZero() { return most == 0; }
              public Most copy() { Most copy = new Most(); copy.most = most; return copy; }
              public void reset() { most = 0; }
              public void add(Long x) { most = Math.max(most, x); }
              public void merge(Accumulator<Long, Long> other) { add(other.value()); }
              public Long value() { return most; }
            }
            Most most = new Most()
            sc.register(most)
            sc.range(0, 8, 1, 8).foreach(x -> most.add(x))
            void find(Most found) { sc.range(0, 8, 1, 8).foreach(x -> found.add(x)); }
            find(most)
            most.value()
            """,
            "--master",
            "local-cluster[1,2,512]");

    assertThat(result.out())
        .contains("a task uses the variable most: it holds an accumulator of class")
        .endsWith("Long $1 = 7\n");
  }

  /// All but that executors take their time on a busy machine.
  private static List<String> failuresOf(Result result) {
    return result.err().lines().filter(line -> !line.contains("tasks have waited for")).toList();
  }

  @Test
  void everySnippetThatFailsIsShownAndTheExitCodeTells() throws Exception {
    Result result =
        run(
            """
            int x = "a";
            1 / 0
            sc.range(0, 4, 1, 1).map(n -> n / 0).count()
            sc.textFile("/no/such")
            new com.esotericsoftware.kryo.Kryo()
            /nothing
            x + 1
            40 + 2
            sc.range(
            """);

    assertThat(result.out())
        .isEqualTo(
            """
            Error: incompatible types: java.lang.String cannot be converted to int
              int x = "a";
                      ^^^
            Exception java.lang.ArithmeticException: / by zero
            \tat (#2:1)
            Exception io.kiln.api.KilnException: job 0 (count at #3:1) failed: task 0 of stage 0\
             (count at #3:1) failed 1 time; most recent failure: java.lang.ArithmeticException: /\
             by zero
            \tat (#3:1)
            Caused by: java.lang.ArithmeticException: / by zero
            \tat lambda(#3:1)
            Exception io.kiln.api.KilnException: input path does not exist: /no/such; correct the\
             path or create the input
            \tat (#4:1)
            Error: package com.esotericsoftware.kryo does not exist
              new com.esotericsoftware.kryo.Kryo()
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            Error: there is no command /nothing; /help lists those there are
            Error: cannot find symbol: variable x
              x + 1
              ^
            int $4 = 42
            Error: reached end of file while parsing
              sc.range(
                       ^
            """);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(left()).isEmpty();
  }

  @Test
  void theJarsOfTheCommandLineAreSeenAtThePromptAndInTasks() throws Exception {
    ProbeJar probe = ProbeJar.build(Files.createDirectory(directory.resolve("probe")));

    Result result =
        run(
            """
            com.esotericsoftware.kryo.Kryo.whose()
            sc.range(0, 2, 1, 2).map(_ -> com.esotericsoftware.kryo.Kryo.whose()).distinct().collect()
            """,
            "--jars",
            probe.library());

    assertThat(result.out()).isEqualTo("String $1 = \"own kryo\"\nList<String> $2 = [own kryo]\n");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void filesAreRunFirst() throws Exception {
    Path script = Files.writeString(directory.resolve("my script.java"), "int a = 1;\n");

    Result result = run("a + 1", "-i", script, "--name", "-i");

    assertThat(result).isEqualTo(new Result(0, "int a = 1\nint $1 = 2\n", ""));
  }

  @Test
  void itIsFoundThroughALinkAndKnowsItsName() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("a shell"), script());

    Result result = new Command(directory, link).withInput("sc.appName() + sc.master()").run();

    assertThat(result).isEqualTo(new Result(0, "String $1 = \"Kiln shelllocal[*]\"\n", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x.jar | The shell takes no arguments, but was given 'x.jar': to run a file of snippets"
            + " first, use -i FILE",
        "-i    | Option -i needs a value: -i FILE",
        "-i no.java | -i names no.java, which does not exist or can't be read",
        "--mastr local | Unknown option --mastr: did you mean --master?",
        "--master spark://h:1 --deploy-mode cluster | The shell can't run in cluster mode on the"
            + " standalone cluster manager: use client mode",
        "--master local --deploy-mode cluster | --deploy-mode is cluster, but local runs in this"
            + " process: leave it out, or choose a cluster's master",
        "--conf spark.default.parallelism=many | spark.default.parallelism=many can't be used:"
            + " expected a whole number of at least 1; for example spark.default.parallelism=4",
      })
  void whatCannotStartIsRefusedInOneLine(String words, String message) throws Exception {
    Result result = run("40 + 2", (Object[]) words.split(" "));

    assertThat(result).isEqualTo(new Result(1, "", "Error: " + message + "\n"));
  }

  @Test
  void aJavaThatCannotCompileIsNamed() throws Exception {
    Result result =
        shell().with("SPARK_SUBMIT_OPTS", "--limit-modules java.se,jdk.unsupported").run();

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("Error: The shell needs a full JDK, and /")
        .endsWith("has no jdk.jshell: set JAVA_HOME to a JDK");
  }

  @Test
  void helpAndVersionAreAnswered() throws Exception {
    assertThat(shell("--version").run().out()).startsWith("Kiln ");
    assertThat(shell("--help").run().out()).contains("spark-shell [options] [-i FILE]");
  }

  @Test
  void submitStartsItByTheNamesThatPeopleKnow() throws Exception {
    Path submit = Layout.HOME.resolve("bin/spark-submit");
    Result byResource =
        new Command(directory, submit, "--master", "local[3]", "spark-shell")
            .withInput("sc.defaultParallelism()")
            .run();
    Result byClass =
        new Command(directory, submit, "--class", "org.apache.spark.repl.Main")
            .withInput("/exit\nthis is not read")
            .run();

    assertThat(byResource).isEqualTo(new Result(0, "int $1 = 3\n", ""));
    assertThat(byClass).isEqualTo(new Result(0, "", ""));
  }

  private Result run(String input, Object... options) throws IOException, InterruptedException {
    return shell(options).withInput(input).run();
  }

  private Command shell(Object... options) throws IOException {
    Path scratch = Files.createDirectories(directory.resolve("scratch"));
    List<Object> words = new ArrayList<>(List.of(script(), "-c", "spark.local.dir=" + scratch));
    words.addAll(List.of(options));
    return new Command(directory, words.toArray());
  }

  private static Path script() {
    return Layout.HOME.resolve("bin/spark-shell");
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("scratch"))) {
      return files.toList();
    }
  }
}
