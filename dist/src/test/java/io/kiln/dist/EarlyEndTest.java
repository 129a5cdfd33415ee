package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs whose main method returns, or whose context is closed, while their jobs run.
@Timeout(180)
class EarlyEndTest {
  private static final String FAILED_JOB = "job 0 (foreach at Early.java:";

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;
  private Path scratch;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @BeforeEach
  void makeScratch() throws IOException {
    scratch = Files.createDirectory(directory.resolve("scratch"));
  }

  /// Between the two jobs of the thread, none runs.
  @ParameterizedTest
  @CsvSource({
    "thread, local[2]",
    "thread, 'local-cluster[1,1,512]'",
    "future, local[2]",
  })
  void theProgramEndsWithItsWork(String work, String master) throws Exception {
    Path err = directory.resolve("err");
    Process process = submit(master, List.of(), work).redirectError(err).start();
    try (BufferedReader out = process.inputReader();
        OutputStream in = process.getOutputStream()) {
      assertThat(out.readLine()).isEqualTo("half");
      in.write('\n');
      in.flush();
      assertThat(out.readLine()).isEqualTo("saved 30");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(err).isEmptyFile();
    assertThat(left()).isEmpty();
  }

  @Test
  void aContextThatIsClosedWhileAJobRunsFailsTheJobAndTheProgram() throws Exception {
    Result result = submit("local[2]", List.of(), "close").run();

    assertThat(result.err())
        .containsOnlyOnce("WARN JobRunner: the context was closed while " + FAILED_JOB)
        .contains("Exception in thread \"saver\"", ") failed: the context was closed while it ran");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(left()).isEmpty();
  }

  @Test
  void whoeverAsksToEndWithTheMainMethodHearsOfTheJobThatRuns() throws Exception {
    Process process =
        submit(
                "local[2]",
                List.of("--conf", "spark.submit.callSystemExitOnMainExit=true"),
                "future")
            .redirectError(directory.resolve("err"))
            .start();

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(directory.resolve("err"))
        .content()
        .contains("the context was closed while job 0 (foreachAsync at Early.java:");
    assertThat(left()).isEmpty();
  }

  /// The code is the program's own, as it gave one.
  @Test
  void aProgramThatExitsWhileAJobRunsIsToldSo() throws Exception {
    Result result = submit("local[2]", List.of(), "exit").run();

    assertThat(result.err())
        .containsOnlyOnce("the context was closed while " + FAILED_JOB)
        .doesNotContain("ExceptionInInitializerError", "NoClassDefFoundError");
    assertThat(result.exitCode()).isZero();
    assertThat(left()).isEmpty();
  }

  @Test
  void aJobThatWasCancelledIsNoLoss() throws Exception {
    assertThat(submit("local[2]", List.of(), "cancel").run()).isEqualTo(new Result(0, "", ""));
    assertThat(left()).isEmpty();
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(scratch)) {
      return files.toList();
    }
  }

  private Command submit(String master, List<String> options, String work) {
    List<Object> words =
        Stream.<Object>concat(
                Stream.of(
                    Layout.HOME.resolve("bin/spark-submit"),
                    "--master",
                    master,
                    "--conf",
                    "spark.local.dir=" + scratch,
                    "--conf",
                    "spark.job.interruptOnCancel=true"),
                Stream.concat(options.stream(), Stream.of("--class", "probe.Early", probe, work)))
            .toList();
    return new Command(directory, words.toArray());
  }

  /// Nothing was logged before, and the task never ends.
  @Test
  void aTaskThatEndsTheProcessLeavesNothing() throws Exception {
    Result result = submit("local[2]", List.of(), "exitInTask").run();

    assertThat(result.err())
        .contains("tasks still run 5 s after their context was closed")
        .doesNotContain("Exception", "Error");
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(left()).isEmpty();
  }

  @Test
  void theShellSaysWhatItLeaves() throws Exception {
    Result result =
        new Command(
                directory,
                Layout.HOME.resolve("bin/spark-shell"),
                "--master",
                "local[1]",
                "--conf",
                "spark.local.dir=" + scratch)
            .withInput(
                """
                var job = sc.range(0, 1, 1, 1).foreachAsync(x -> { System.setProperty("runs", ""); new java.util.concurrent.CountDownLatch(1).await(); })
                while (System.getProperty("runs") == null) { Thread.onSpinWait(); }
                """)
            .run();

    assertThat(result.err()).contains("the context was closed while job 0 (foreach");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(left()).isEmpty();
  }
}
