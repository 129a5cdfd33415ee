package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.dist.Command.Result;
import io.kiln.launcher.AppHandle;
import io.kiln.launcher.AppHandle.State;
import io.kiln.launcher.KilnLauncher;
import io.kiln.launcher.channel.Channel;
import io.kiln.launcher.channel.ChannelListener;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelSecret;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Applications that a program launches and holds a handle of: their processes are real, and so are
/// their ends.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmbeddingTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  /// Held, since a logger lives only as long as somebody does.
  private static final Logger LOG = Logger.getLogger(EmbeddingTest.class.getName());

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ProbeJar probe;
  private final BlockingQueue<State> states = new LinkedBlockingQueue<>();
  private final Printed printed = new Printed();
  private Path err;
  private Path scratch;
  private AppHandle handle;

  private final AppHandle.Listener diary =
      new AppHandle.Listener() {
        @Override
        public void stateChanged(AppHandle handle, State state) {
          states.add(state);
        }
      };

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared);
  }

  @BeforeEach
  void makeFiles() throws Exception {
    LOG.setUseParentHandlers(false);
    LOG.addHandler(printed);
    err = directory.resolve("err");
    scratch = Files.createDirectory(directory.resolve("scratch"));
  }

  @AfterEach
  void endWhatIsLeft() {
    LOG.removeHandler(printed);
    if (handle != null) {
      handle.kill();
    }
  }

  @Test
  void statesArriveInOrderWithTheApplicationsId() throws Exception {
    start(launcher("probe.Jobs", "sum").redirectOutput(directory.resolve("sum").toFile()));

    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING, State.FINISHED);
    assertThat(handle.applicationId().orElseThrow()).matches("local-\\d+");
    assertThat(handle.exitCode()).hasValue(0);
    assertThat(handle.error()).isEmpty();
    assertThat(directory.resolve("sum")).hasContent("499500");
    assertThat(err).isEmptyFile();
  }

  @Test
  void stopEndsALongJobInOrder() throws Exception {
    Path note = Files.writeString(directory.resolve("note.txt"), "a note");
    start(launcher("probe.Jobs", "hold", note.toString()));
    assertThat(printed.next()).isEqualTo("ready");
    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING);
    assertThat(left()).isNotEmpty();

    handle.stop();

    awaitStates(State.KILLED);
    assertThat(handle.exitCode()).hasValue(143);
    assertThat(left()).isEmpty();
    assertThat(err)
        .content()
        .contains("the context was closed while job 1 (foreach")
        .hasLineCount(1);
  }

  @Test
  void killEndsALongJobAtOnce() throws Exception {
    Path note = Files.writeString(directory.resolve("note.txt"), "a note");
    start(launcher("probe.Jobs", "hold", note.toString()));
    assertThat(printed.next()).isEqualTo("ready");
    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING);

    handle.kill();

    awaitStates(State.KILLED);
    assertThat(handle.exitCode()).hasValue(137);
  }

  @Test
  void anApplicationThatIsKilledByOthersHasFailed() throws Exception {
    start(launcher("probe.Launched", "relay", fifo("in").toString(), "unused"));
    String pid = printed.next().replace("ready ", "");
    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING);
    new Command(directory, "kill", "-KILL", pid).run();

    awaitStates(State.FAILED);
    assertThat(handle.exitCode()).hasValue(137);
    assertThat(handle.error()).contains("the program ended with exit code 137, as by signal 9");
  }

  @Test
  void aFailedProgramsExceptionIsTheError() throws Exception {
    start(launcher("probe.Jobs", "fail").redirectOutput(directory.resolve("none").toFile()));

    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING, State.FAILED);
    assertThat(handle.exitCode()).hasValue(1);
    assertThat(handle.error().orElseThrow())
        .startsWith("io.kiln.api.KilnException: job 0 (count at Jobs.java:62) failed: task 1 of")
        .endsWith("java.lang.ArithmeticException: / by zero");
    assertThat(err).content().startsWith("Exception in thread \"main\"");
  }

  @Test
  void anExitCodeOfTheProgramsIsTheError() throws Exception {
    start(launcher("probe.Jobs", "exit", "42").redirectOutput(directory.resolve("none").toFile()));

    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING, State.FAILED);
    assertThat(handle.exitCode()).hasValue(42);
    assertThat(handle.error()).contains("the program ended with exit code 42");
  }

  @Test
  void whatIsRefusedSaysWhy() throws Exception {
    start(
        launcher("probe.Jobs")
            .setAppResource("none.jar")
            .redirectOutput(directory.resolve("none").toFile()));

    awaitStates(State.CONNECTED, State.FAILED);
    assertThat(handle.error()).contains("The application jar none.jar does not exist");
    assertThat(err).hasContent("Error: The application jar none.jar does not exist");
  }

  @Test
  void whatIsRefusedBeforeThereIsAJvmSaysWhere() throws Exception {
    start(
        launcher("probe.Jobs")
            .setConf("spark.driver.memory", "much")
            .redirectOutput(directory.resolve("none").toFile()));

    awaitStates(State.FAILED);
    assertThat(handle.error().orElseThrow()).endsWith("its output says why");
    assertThat(err).content().startsWith("Error: spark.driver.memory must be a size above zero");
  }

  @Test
  void anApplicationOfWhichItsLauncherLetsGoDoesItsWork() throws Exception {
    Path in = fifo("in");
    Path result = fifo("result");
    start(launcher("probe.Launched", "relay", in.toString(), result.toString()));
    assertThat(printed.next()).startsWith("ready ");
    awaitStates(State.CONNECTED, State.SUBMITTED, State.RUNNING);

    handle.disconnect();
    awaitStates(State.LOST);
    Files.writeString(in, "three more words");

    assertThat(Files.readString(result)).isEqualTo("13\n");
    assertThat(err).isEmptyFile();
  }

  @Test
  void anApplicationOutlivesAKilledLauncher() throws Exception {
    Path in = fifo("in");
    Path result = fifo("result");
    Process launcher =
        new Command(
                directory,
                Path.of(System.getProperty("java.home"), "bin/java"),
                "-cp",
                launcherJar() + ":" + probe.application(),
                "probe.Launched",
                "launch",
                probe.application(),
                in,
                result)
            .with("SPARK_HOME", Layout.HOME)
            .redirectError(err)
            .start();
    try (BufferedReader printed = launcher.inputReader()) {
      assertThat(List.of(printed.readLine(), printed.readLine(), printed.readLine()))
          .containsExactly("CONNECTED", "SUBMITTED", "RUNNING");
      ProcessHandle application = launcher.children().findFirst().orElseThrow();

      launcher.destroyForcibly();

      assertThat(launcher.waitFor()).isEqualTo(137);
      assertThat(application.isAlive()).isTrue();
      Files.writeString(in, "three more words");
      assertThat(Files.readString(result)).isEqualTo("13\n");
      application.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
    } finally {
      launcher.destroyForcibly();
    }
  }

  @Test
  void theSecretIsNotInheritedByTheProgramsChildrenAndNotShown() throws Exception {
    start(
        launcher("probe.Launched", "environment", "sh", "-c", "env; ls -l /proc/self/fd")
            .setVerbose(true)
            .redirectOutput(directory.resolve("printed").toFile()));

    awaitStates(State.CONNECTED, State.FINISHED);
    assertThat(directory.resolve("printed")).content().contains("own \n", "SPARK_HOME=");
    for (String file : List.of("printed", "err")) {
      assertThat(directory.resolve(file))
          .content()
          .doesNotContain("SPARK_LAUNCHER")
          .doesNotContainPattern("[0-9a-f]{64}");
    }
    assertThat(directory.resolve("err")).content().contains("Main class:\n  probe.Launched");
  }

  @Test
  void aWrongSecretIsRefusedAndTheApplicationRunsAllTheSame() throws Exception {
    ChannelListener listener = new ChannelListener(LONG);
    Result result = submitSum(listener, ChannelSecret.random());

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualTo("499500\n");
    assertThat(result.err())
        .isEqualTo(
            "Warning: the program that launched this one can't be told how it goes, as its"
                + " channel is out of reach: what listens on port "
                + listener.port()
                + " is another\n");
    listener.close();
    assertThatThrownBy(listener::await).hasMessage("the application did not connect");
  }

  @Test
  void aLauncherThatIsGoneIsNamedInAWarning() throws Exception {
    ChannelListener listener = new ChannelListener(LONG);
    listener.close();

    Result result = submitSum(listener, listener.secret());

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualTo("499500\n");
    assertThat(result.err()).endsWith("its channel is out of reach: Connection refused\n");
  }

  @Test
  void theRightSecretOpensTheChannel() throws Exception {
    try (ChannelListener listener = new ChannelListener(LONG)) {
      assertThat(submitSum(listener, listener.secret()).err()).isEmpty();

      try (Channel channel = listener.await()) {
        assertThat(channel.receive()).isInstanceOf(ApplicationSubmitted.class);
        assertThat(channel.receive()).isEqualTo(new ApplicationRunning());
      }
    }
  }

  /// The lines of the application's output.
  private static final class Printed extends Handler {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void publish(LogRecord message) {
      lines.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private Result submitSum(ChannelListener listener, ChannelSecret secret) throws Exception {
    return new Command(
            directory,
            Layout.HOME.resolve("bin/spark-submit"),
            "--class",
            "probe.Jobs",
            probe.application(),
            "sum")
        .with("_SPARK_LAUNCHER_PORT", listener.port())
        .with("_SPARK_LAUNCHER_SECRET", secret.reveal())
        .run();
  }

  @Test
  void nothingOfTheChannelIsLoadedWhereNobodyLaunches() throws Exception {
    Path log = directory.resolve("classes.log");

    Result result =
        new Command(
                directory,
                Layout.HOME.resolve("bin/spark-submit"),
                "--class",
                "probe.Jobs",
                probe.application(),
                "sum")
            .with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log)
            .run();

    assertThat(result.exitCode()).isZero();
    assertThat(Files.readString(log))
        .contains("io.kiln.launcher.CommandLine")
        .doesNotContain("io.kiln.launcher.channel", "LauncherLink");
  }

  private KilnLauncher launcher(String mainClass, String... arguments) {
    return new KilnLauncher()
        .setSparkHome(Layout.HOME.toString())
        .directory(directory.toFile())
        .redirectToLog(LOG.getName())
        .redirectError(err.toFile())
        .setMaster("local[2]")
        .setConf("spark.local.dir", scratch.toString())
        .setMainClass(mainClass)
        .setAppResource(probe.application().toString())
        .addAppArgs(arguments);
  }

  private void start(KilnLauncher launcher) throws IOException {
    handle = launcher.startApplication(diary);
  }

  private void awaitStates(State... expected) throws InterruptedException {
    for (State state : expected) {
      assertThat(states.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(state);
    }
    assertThat(handle.state()).isEqualTo(expected[expected.length - 1]);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(scratch)) {
      return files.toList();
    }
  }

  private Path fifo(String name) throws Exception {
    Path path = directory.resolve(name);
    assertThat(new Command(directory, "mkfifo", path).run().exitCode()).isZero();
    return path;
  }

  private static Path launcherJar() throws IOException {
    return Layout.jars("jars/shared").stream()
        .filter(jar -> jar.getFileName().toString().startsWith("kiln-launcher-"))
        .findFirst()
        .orElseThrow();
  }
}
