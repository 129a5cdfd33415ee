package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs that run jobs, submitted as a user does, and what is seen of them from outside.
class JobsTest {

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ProbeJar probe;
  private Path scratch;
  private Path note;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared);
  }

  @BeforeEach
  void makeFiles() throws IOException {
    scratch = Files.createDirectory(directory.resolve("scratch"));
    note = Files.writeString(directory.resolve("note.txt"), "a note");
  }

  @Test
  void aJobsResultArrives() throws Exception {
    assertThat(run(List.of(), "sum")).isEqualTo(new Result(0, "499500\n", ""));
  }

  @Test
  void theExitCodeIsThatOfAProgramWithARunningEngine() throws Exception {
    assertThat(run(List.of(), "exit", "42")).isEqualTo(new Result(42, "", ""));
    assertThat(left()).isEmpty();
  }

  @Test
  void aFailedJobIsOneLineAndThenTheProgramsOwnFrames() throws Exception {
    Result result = run(List.of(), "fail");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().replaceAll("lambda[^(]*", "lambda").lines())
        .containsExactly(
            "Exception in thread \"main\" io.kiln.api.KilnException: job 0 (count at Jobs.java:62)"
                + " failed: task 1 of stage 0 (count at Jobs.java:62) failed 1 time; most recent"
                + " failure: java.lang.ArithmeticException: / by zero",
            "\tat probe.Jobs.failingJob(Jobs.java:62)",
            "\tat probe.Jobs.main(Jobs.java:23)",
            "Caused by: java.lang.ArithmeticException: / by zero",
            "\tat probe.Jobs.lambda(Jobs.java:61)");
  }

  /// Refused before the program starts.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mastr local JAR                    | Unknown option --mastr: did you mean --master?",
        "--class probe.Jobs none.jar sum      | The application jar none.jar does not exist",
        "--class probe.Job JAR sum            | Main class probe.Job is not in JAR: check --class,"
            + " or add the jar that has it by --jars",
        "--jars none.jar --class probe.Jobs JAR | --jars names none.jar, which does not exist",
        "--master local[x] --class probe.Jobs JAR | --master is 'local[x]', which names no master:"
            + " use local, local[N], local[*], local[N,F], with whole numbers from 1",
        "--py-files a.zip --master local[2] pi.py 10 | A Python program such as pi.py can't run in"
            + " this version: submit a program in a jar",
        "--driver-memory 512m pi.R            | An R program such as pi.R can't run in this"
            + " version: submit a program in a jar",
        "--name shell pyspark-shell           | A Python program such as pyspark-shell can't run in"
            + " this version: submit a program in a jar",
        "sparkr-shell                         | An R program such as sparkr-shell can't run in this"
            + " version: submit a program in a jar",
        "--principal p --keytab none --class probe.Jobs JAR | --keytab names none, which does not"
            + " exist",
        "--principal p --class probe.Jobs JAR | --principal needs the keytab of that principal: add"
            + " --keytab FILE",
        "--proxy-user u --principal p --class probe.Jobs JAR | --proxy-user can't be used with"
            + " --principal: the program runs as the one or as the other",
      })
  void whatCannotStartIsRefusedInOneLine(String words, String message) throws Exception {
    String jar = probe.application().toString();

    Result result = submit(List.of(words.replace("JAR", jar).split(" "))).run();

    assertThat(result).isEqualTo(new Result(1, "", "Error: " + message.replace("JAR", jar) + "\n"));
  }

  /// Refused by the engine, at the program's line, before any task runs.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark.default.parallelism=many | sum   | spark.default.parallelism=many can't be used:",
        "spark.local.dir=NOTE/scratch   | sum   | ); set spark.local.dir to a directory",
        "spark.x=y                      | read  | input path does not exist: ARGUMENT",
        "spark.x=y                      | write | output directory exists already: ARGUMENT",
      })
  void whatTheEngineRefusesIsOneLineAndWhereItWasAsked(
      String setting, String operation, String message) throws Exception {
    Path argument = operation.equals("write") ? scratch : directory.resolve("missing");

    Result result =
        run(
            List.of("--conf", setting.replace("NOTE", note.toString())),
            operation,
            argument.toString());

    assertThat(result.exitCode()).isEqualTo(1);
    List<String> lines = result.err().lines().filter(line -> !line.startsWith("Caused")).toList();
    assertThat(lines.getFirst())
        .startsWith("Exception in thread \"main\" io.kiln.api.KilnException: ")
        .contains(
            message.replace("NOTE", note.toString()).replace("ARGUMENT", argument.toString()));
    assertThat(lines.subList(1, lines.size()))
        .singleElement()
        .asString()
        .startsWith("\tat probe.Jobs.main(Jobs.java:");
  }

  @Test
  void filesReachDriverAndTasks() throws Exception {
    assertThat(run(List.of("--files", note.toString()), "files"))
        .isEqualTo(new Result(0, "driver a note\ntasks [a note]\n", ""));
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.spark.serializer.JavaSerializer",
    "org.apache.spark.serializer.KryoSerializer"
  })
  void anApplicationsOwnClassesRuleInDriverAndTasksWhateverTheirNames(String serializer)
      throws Exception {
    Result result =
        run(
            List.of(
                "--jars", probe.library().toString(), "--conf", "spark.serializer=" + serializer),
            "own");

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            driver own kryo, own lz4
            tasks [own kryo, own own lz4 1+own lz4 3, own kryo, own own lz4 2+own lz4 4]
            """);
  }

  @Test
  void theApplicationsJarComesFirst() throws Exception {
    assertThat(run(List.of("--jars", probe.library().toString()), "jars").out())
        .isEqualTo("[%s, %s]\n".formatted(probe.application().toUri(), probe.library().toUri()));
  }

  @Test
  void aProgramMaySetTheLogLevel() throws Exception {
    Result result = run(List.of(), "level");

    assertThat(result.err()).contains("INFO probe: seen").doesNotContain("not seen");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void atLevelInfoJobsAndStagesAreLogged() throws Exception {
    Result result = run(List.of("-c", "spark.log.level=INFO"), "sum");

    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains("INFO ApplicationStatus: Job 0 started: reduce at Jobs.java:18, 1 stage\n")
        .containsPattern("Stage 0 started: reduce at Jobs.java:18, \\d+ tasks?\n")
        .containsPattern("Stage 0 succeeded after [0-9.]+ s\n")
        .containsPattern("Job 0 succeeded after [0-9.]+ s\n");
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130"})
  void aSignalStopsTheEngineAndLeavesNothing(String signal, int exitCode) throws Exception {
    Path err = directory.resolve("err");
    Process process = job(List.of(), "hold", note.toString()).redirectError(err).start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      assertThat(left()).hasSizeGreaterThan(1);
      new Command(directory, "kill", "-" + signal, process.pid()).run();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).isEqualTo(exitCode);
    assertThat(left()).isEmpty();
    assertThat(Files.readAllLines(err))
        .singleElement()
        .asString()
        .contains("WARN JobRunner: the context was closed while job 1 (foreach at Jobs.java:");
  }

  @Test
  void noProgressIsShownWhereThereIsNoTerminal() throws Exception {
    assertThat(run(List.of(), "slow")).isEqualTo(new Result(0, "", ""));
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(scratch)) {
      return files.toList();
    }
  }

  private Result run(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    return job(options, arguments).run();
  }

  private Command job(List<String> options, String... arguments) {
    List<String> words = new ArrayList<>(List.of("--master", "local[2]"));
    words.addAll(options);
    if (options.stream().noneMatch(option -> option.startsWith("spark.local.dir"))) {
      words.addAll(List.of("--conf", "spark.local.dir=" + scratch));
    }
    words.addAll(List.of("--class", "probe.Jobs", probe.application().toString()));
    words.addAll(List.of(arguments));
    return submit(words);
  }

  private Command submit(List<String> words) {
    List<Object> all = new ArrayList<>();
    all.add(Layout.HOME.resolve("bin/spark-submit"));
    all.addAll(words);
    return new Command(directory, all.toArray());
  }
}
