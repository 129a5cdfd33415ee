package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.AppHandle.State;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// With a shell script in place of `spark-submit`.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilnLauncherTest {

  @TempDir Path home;

  @BeforeEach
  void standInForSubmit() throws IOException {
    script(
        """
        for word in "$@"; do printf '%s\\n' "$word"; done
        """);
  }

  private void script(String text) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path submit = Files.writeString(bin.resolve("spark-submit"), "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private KilnLauncher launcher() {
    return new KilnLauncher().setSparkHome(home.toString());
  }

  private static List<String> lines(Process process) throws IOException {
    try (BufferedReader reader = process.inputReader()) {
      return reader.lines().toList();
    }
  }

  @Test
  void everythingSaidIsOnTheCommandLine() throws Exception {
    Process process =
        launcher()
            .addAppArgs("1", "")
            .setAppResource("app.jar")
            .setMainClass("p.Main")
            .setMaster("local[2]")
            .setDeployMode("client")
            .setAppName("a name")
            .addJar("a.jar")
            .addJar("b.jar")
            .addFile("f")
            .addPyFile("p.py")
            .setConf("spark.x", "1=2")
            .setConf("spark.x", "3")
            .addSparkArg("--conf", "spark.y= ")
            .addSparkArg("--jars", "c.jar,d.jar")
            .addSparkArg("--driver-memory", "2g")
            .addSparkArg("--supervise")
            .setPropertiesFile("my.conf")
            .setVerbose(true)
            .addAppArgs("--master")
            .launch();

    List<String> words = lines(process);
    assertThat(words)
        .endsWith("--conf", "spark.x=3", "--conf", "spark.y= ", "app.jar", "1", "", "--master");
    CommandLine line = CommandLine.parse(words);
    assertThat(line.value(SubmitOption.CLASS)).isEqualTo("p.Main");
    assertThat(line.value(SubmitOption.MASTER)).isEqualTo("local[2]");
    assertThat(line.value(SubmitOption.DEPLOY_MODE)).isEqualTo("client");
    assertThat(line.value(SubmitOption.NAME)).isEqualTo("a name");
    assertThat(line.value(SubmitOption.JARS)).isEqualTo("a.jar,b.jar,c.jar,d.jar");
    assertThat(line.value(SubmitOption.FILES)).isEqualTo("f");
    assertThat(line.value(SubmitOption.PY_FILES)).isEqualTo("p.py");
    assertThat(line.value(SubmitOption.DRIVER_MEMORY)).isEqualTo("2g");
    assertThat(line.value(SubmitOption.PROPERTIES_FILE)).isEqualTo("my.conf");
    assertThat(line.has(SubmitOption.SUPERVISE)).isTrue();
    assertThat(line.has(SubmitOption.VERBOSE)).isTrue();
  }

  @Test
  void optionsThatRunNothingNeedNoApplication() throws Exception {
    assertThat(lines(launcher().addSparkArg("--version").launch())).containsExactly("--version");
    assertThat(
            lines(
                launcher()
                    .addSparkArg("--status", "id")
                    .setVerbose(true)
                    .setVerbose(false)
                    .launch()))
        .containsExactly("--status", "id");
    assertThatThrownBy(launcher()::launch)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there is no application to launch: call setAppResource");
  }

  private record Wrong(String message, Consumer<KilnLauncher> call) {
    @Override
    public String toString() {
      return message;
    }
  }

  static List<Wrong> wrongs() {
    return List.of(
        new Wrong("no option --mastr: did you mean --master?", l -> l.addSparkArg("--mastr", "x")),
        new Wrong("--master needs a value: URL", l -> l.addSparkArg("--master")),
        new Wrong("--verbose takes no value", l -> l.addSparkArg("-v", "x")),
        new Wrong("begins with spark.", l -> l.setConf("fs.x", "y")),
        new Wrong("no '='", l -> l.setConf("spark.x=y", "z")),
        new Wrong("--conf needs KEY=VALUE", l -> l.addSparkArg("--conf", "spark.x")),
        new Wrong("separates its items by commas", l -> l.addJar("a.jar,b.jar")),
        new Wrong("none can be ''", l -> l.addFile("")),
        new Wrong("is a path", l -> l.setAppResource("-x.jar")),
        new Wrong("and not spark.launcher.x", l -> l.setConf("spark.launcher.x", "y")),
        new Wrong("not '10s'", l -> l.setConf(KilnLauncher.CHILD_CONNECTION_TIMEOUT, "10s")),
        new Wrong("no JDK in /nowhere", l -> l.setJavaHome("/nowhere")));
  }

  @ParameterizedTest
  @MethodSource("wrongs")
  void badInputIsRefusedWhereItIsGiven(Wrong wrong) {
    assertThatThrownBy(() -> wrong.call().accept(launcher()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(wrong.message());
  }

  @Test
  void nothingMayBeNull() {
    assertThatThrownBy(() -> launcher().setMaster(null)).hasMessage("--master is null");
    assertThatThrownBy(() -> launcher().setConf("spark.x", null)).hasMessageContaining("spark.x");
    assertThatThrownBy(() -> launcher().addAppArgs("a", null)).hasMessage("an argument is null");
  }

  @Test
  void aHomeWithoutSubmitIsRefused() throws Exception {
    assertThatThrownBy(() -> new KilnLauncher().setSparkHome("/nowhere").addSparkArg("-h").launch())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "/nowhere/bin/spark-submit can't be run; set SPARK_HOME to an installation of Kiln");
  }

  @Test
  void environmentAndDirectoryAreTheApplications() throws Exception {
    script(
        "pwd; echo $SPARK_HOME; echo $JAVA_HOME; echo $ONE; echo"
            + " \"${_SPARK_LAUNCHER_SECRET-none}\"");
    Path directory = Files.createDirectory(home.resolve("work"));
    String java = System.getProperty("java.home");

    Process process =
        new KilnLauncher(Map.of("ONE", "1", "SPARK_HOME", home.toString()))
            .setJavaHome(java)
            .directory(directory.toFile())
            .addSparkArg("--help")
            .launch();

    assertThat(lines(process))
        .containsExactly(directory.toRealPath().toString(), home.toString(), java, "1", "none");
  }

  @Test
  void theChannelIsInTheEnvironmentAndNotOnTheCommandLine() throws Exception {
    script(
        "echo \"$_SPARK_LAUNCHER_PORT $_SPARK_LAUNCHER_SECRET\"; for a in \"$0\" \"$@\"; do echo"
            + " \"$a\"; done");
    File out = home.resolve("out").toFile();

    AppHandle handle = launcher().setAppResource("a.jar").redirectOutput(out).startApplication();

    assertThat(handle.awaitEnd(Duration.ofSeconds(50))).isTrue();
    assertThat(handle.state()).isEqualTo(State.FINISHED);
    List<String> printed = Files.readAllLines(out.toPath());
    assertThat(printed.getFirst()).matches("[0-9]+ [0-9a-f]{64}");
    assertThat(printed.subList(1, printed.size()))
        .containsExactly(home + "/bin/spark-submit", "a.jar");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"OUT, ERR,  -", "OUT, -,    err", "-,   ERR,  out", "-,   -,    out err"})
  void whatIsNotRedirectedIsLogged(String out, String err, String logged) throws Exception {
    script("echo out; echo err >&2");
    KilnLauncher launcher = launcher().setAppResource("a.jar").redirectToLog("here");
    Path outFile = home.resolve("out");
    Path errFile = home.resolve("err");
    if (out != null) {
      launcher.redirectOutput(outFile.toFile());
    }
    if (err != null) {
      launcher.redirectError(errFile.toFile());
    }
    Diary diary = Diary.of("here");

    AppHandle handle = launcher.startApplication();

    assertThat(handle.awaitEnd(Duration.ofSeconds(50))).isTrue();
    List<String> lines = new ArrayList<>();
    for (String unused : logged == null ? new String[0] : logged.split(" ")) {
      lines.add(diary.next());
    }
    assertThat(String.join(" ", lines)).isEqualTo(logged == null ? "" : logged);
    if (out != null) {
      assertThat(outFile).hasContent("out");
    }
    if (err != null) {
      assertThat(errFile).hasContent("err");
    }
  }

  @Test
  void errorsCanGoWhereTheOutputGoes() throws Exception {
    script("echo out; echo err >&2");

    Process process = launcher().addSparkArg("-h").redirectError().launch();

    assertThat(lines(process)).containsExactly("out", "err");
  }

  @Test
  void theLoggerIsNamedByTheLaunchTheJvmOrTheApplication() throws Exception {
    KilnLauncher launcher = launcher().setAppResource("/some/app.jar");
    Diary byResource = Diary.of("io.kiln.launcher.app.app.jar");
    launcher.startApplication();
    assertThat(byResource.next()).isEqualTo("/some/app.jar");

    Diary byClass = Diary.of("io.kiln.launcher.app.Main");
    launcher.setMainClass("p.Main").startApplication();
    assertThat(byClass.next()).isEqualTo("--class");

    Diary byName = Diary.of("io.kiln.launcher.app.a name");
    launcher.setAppName("a name").startApplication();
    assertThat(byName.next()).isEqualTo("--class");

    Diary bySetting = Diary.of("mine");
    launcher.setConf(KilnLauncher.CHILD_PROCESS_LOGGER_NAME, "mine").startApplication();
    assertThat(bySetting.next()).isEqualTo("--class");
  }

  @Test
  void anEndlessLineIsLoggedInPieces() throws Exception {
    Diary diary = Diary.of("long");
    int most = ChildOutput.MAX_LINE_CHARACTERS;

    ChildOutput.copyLines(
        new BufferedReader(new StringReader("x".repeat(most + 1) + "\n\nlast")),
        Logger.getLogger("long"));

    assertThat(diary.next()).hasSize(most);
    assertThat(diary.next()).isEqualTo("x");
    assertThat(diary.next()).isEmpty();
    assertThat(diary.next()).isEqualTo("last");
  }

  /// What a logger was given.
  private static final class Diary extends Handler {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

    /// Kept, as a logger lives only as long as somebody holds it.
    private final Logger logger;

    private Diary(Logger logger) {
      this.logger = logger;
    }

    static Diary of(String name) {
      Diary diary = new Diary(Logger.getLogger(name));
      diary.logger.setUseParentHandlers(false);
      diary.logger.addHandler(diary);
      return diary;
    }

    String next() throws InterruptedException {
      return messages.poll(50, TimeUnit.SECONDS);
    }

    @Override
    public void publish(LogRecord message) {
      messages.add(message.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
