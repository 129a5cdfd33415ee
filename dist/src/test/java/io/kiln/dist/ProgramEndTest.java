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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How a submitted program starts, what it sees, and how it ends.
class ProgramEndTest {

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @Test
  void theExitCodeIsThePrograms() throws Exception {
    assertThat(run("nothing")).isEqualTo(new Result(0, "", ""));
    assertThat(run("exit", "0")).isEqualTo(new Result(0, "", ""));
    assertThat(run("exit", "37")).isEqualTo(new Result(37, "", ""));
  }

  /// By its name the thread is one of the engine's; of those that the program starts, any may die.
  @Test
  void theProgramEndsWithAThreadThatTheEngineCanNotDoWithout() throws Exception {
    Result ended = run("lost", "kiln-network-lost");
    assertThat(ended.exitCode()).isEqualTo(50);
    assertThat(ended.err())
        .contains("Error: the program ends, as its thread kiln-network-lost has died");
    assertThat(run("lost", "its own", "and goes on").exitCode()).isZero();
  }

  @Test
  void anExceptionShowsTheProgramsFramesAndNoneOfOurs() throws Exception {
    Result result = run("throw");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().replaceAll(":[0-9]+\\)", ")").lines())
        .containsExactly(
            "Exception in thread \"main\" java.lang.IllegalStateException: broken",
            "\tat probe.Probe.fail(Probe.java)",
            "\tat probe.Probe.main(Probe.java)",
            "Caused by: java.lang.RuntimeException: because",
            "\t... 2 more");
  }

  @Test
  void aRefusalOfTheEnginesIsOneLineAndWhereItWasAsked() throws Exception {
    Result result = run("refuse");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err().lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("KilnException", "no such input");
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130"})
  void aSignalRunsTheHooks(String signal, int exitCode) throws Exception {
    Process process = submit("probe.Probe", "wait").start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      new Command(directory, "kill", "-" + signal, process.pid()).run();
      assertThat(out.readLine()).isEqualTo("hook");
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(exitCode);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void onRequestThreadsLeftBehindAreNamedAndDoNotKeepTheProcess() throws Exception {
    Result result =
        command(
                "--conf",
                "spark.submit.callSystemExitOnMainExit=true",
                "--class",
                "probe.Probe",
                probe,
                "threads")
            .run();

    assertThat(result.exitCode()).isZero();
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .contains("not daemons running: straggler;");
  }

  @Test
  void threadsLeftBehindAreWaitedFor() throws Exception {
    assertThat(run("late")).isEqualTo(new Result(0, "late\n", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other.probe    | Main class other.probe is not in PROBE: did you mean probe.Probe?",
        "probe.Nowhere  | Main class probe.Nowhere is not in PROBE: check --class, or add the jar"
            + " that has it by --jars",
        "probe.Instance | The main method of probe.Instance is not static: it needs public static"
            + " void main(String[])",
        "probe.Mainless | Main class probe.Mainless has no main method: it needs public static void"
            + " main(String[])",
        "probe.Needy    | Main class probe.Needy needs probe.Missing, which no jar of the"
            + " application has; PROBE has others of its package, so another version of it may"
            + " have this one too; or add its jar by --jars or --packages",
        "probe.Mentioner | Main class probe.Mentioner needs probe.Missing, which no jar of the"
            + " application has; PROBE has others of its package, so another version of it may"
            + " have this one too; or add its jar by --jars or --packages",
      })
  void aMainClassThatCannotRunIsRefusedInOneLine(String mainClass, String message)
      throws Exception {
    Result result = submit(mainClass).run();

    assertThat(result.err())
        .isEqualTo("Error: " + message.replace("PROBE", probe.toString()) + "\n");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void theProgramSeesAllThatIsSharedAndNothingOfTheEngine() throws Exception {
    Result ofShared = run(withFirst("visible", Layout.jars("jars/shared")));
    Result ofEngine = run(withFirst("visible", Layout.jars("jars/engine")));

    assertThat(ofShared.out())
        .contains("visible io/kiln/api/KilnConf.class")
        .doesNotContain("hidden ");
    assertThat(ofEngine.out())
        .contains("hidden io/kiln/submit/SparkSubmit.class")
        .doesNotContain("visible ");
  }

  @Test
  void logsAreQuietUntilAsked() throws Exception {
    assertThat(run("log").err()).matches("\\d\\d/\\d\\d/\\d\\d [0-9:]{8} WARN Probe: warn 3\n");
    assertThat(
            command("-c", "spark.log.level=info", "--class", "probe.Probe", probe, "log")
                .run()
                .err())
        .contains("INFO Probe: info 2", "WARN Probe: warn 3")
        .doesNotContain("debug 1");
    assertThat(
            command("-c", "spark.log.level=OFF", "--class", "probe.Probe", probe, "log")
                .run()
                .err())
        .isEmpty();
  }

  @Test
  void aLogConfigurationOfTheUsersRules() throws Exception {
    Path conf = Files.createDirectory(directory.resolve("conf"));
    Files.writeString(
        conf.resolve("log4j2.properties"),
        """
        rootLogger.level = error
        rootLogger.appenderRef.out.ref = out
        logger.probe.name = probe
        logger.probe.level = debug
        appender.out.type = Console
        appender.out.name = out
        appender.out.layout.type = PatternLayout
        appender.out.layout.pattern = mine %p %m%n
        """);

    Result result = submit("probe.Probe", "log").with("SPARK_CONF_DIR", conf).run();

    assertThat(result.out()).isEqualTo("mine DEBUG debug 1\nmine INFO info 2\nmine WARN warn 3\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void log4jIsNotLoadedWhileNothingIsLogged() throws Exception {
    Path log = directory.resolve("classes.log");

    Result result =
        submit("probe.Probe", "nothing")
            .with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log)
            .run();

    assertThat(result.exitCode()).isZero();
    assertThat(Files.readString(log)).doesNotContain("org.apache.logging.log4j.core");
  }

  @Test
  void theVerboseReportGoesToTheErrorStream() throws Exception {
    Result result =
        command("-v", "-c", "spark.x=1", "--class", "probe.Probe", probe, "nothing").run();

    assertThat(result.err())
        .contains("Main class:\n  probe.Probe", "spark.x = 1  (--conf)", probe.toString());
    assertThat(result.out()).isEmpty();
  }

  private Result run(Object... arguments) throws IOException, InterruptedException {
    return submit("probe.Probe", arguments).run();
  }

  private Command submit(String mainClass, Object... arguments) {
    return command(withFirst("--class", List.of(mainClass, probe, List.of(arguments))));
  }

  private Command command(Object... words) {
    return new Command(
        directory, withFirst(Layout.HOME.resolve("bin/spark-submit"), List.of(words)));
  }

  private static Object[] withFirst(Object first, List<?> rest) {
    List<Object> words = new ArrayList<>();
    words.add(first);
    for (Object word : rest) {
      if (word instanceof List<?> several) {
        words.addAll(several);
      } else {
        words.add(word);
      }
    }
    return words.toArray();
  }
}
