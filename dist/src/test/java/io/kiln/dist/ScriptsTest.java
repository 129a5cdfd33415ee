package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The scripts, by real bash and real JVMs.
class ScriptsTest {

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @Test
  void argumentsArriveUnchanged() throws Exception {
    List<String> words =
        List.of(
            "arguments",
            "",
            "two words",
            "new\nline\n",
            "'\"`$HOME`",
            "*",
            "?.jar",
            "\\",
            "é 😀",
            "--master",
            "-c",
            " ");
    for (String locale : List.of("C", "C.UTF-8")) {
      Result result = submit(words.toArray()).with("LC_ALL", locale).run();

      assertThat(result.out()).isEqualTo(String.join("\0", words) + "\0");
      assertThat(result.err()).isEmpty();
      assertThat(result.exitCode()).isZero();
    }
  }

  @Test
  void aHomeWithSpacesIsFoundThroughLinksFromAnyDirectory() throws Exception {
    Path home = directory.resolve("a home");
    copy(Layout.HOME, home);
    Path link =
        Files.createSymbolicLink(directory.resolve("submit"), Path.of("a home/bin/spark-submit"));
    Path second = Files.createSymbolicLink(directory.resolve("again"), link);

    Result result = command(second, "--class", "probe.Probe", probe, "properties").in(shared).run();

    // The copied jars are newer than the AOT cache made for them: it doesn't count, and nobody
    // hears of it.
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("java.class.path=" + home.toRealPath() + "/jars/shared/");
  }

  @Test
  void theScriptsOfTheCheckoutRunTheLayout() throws Exception {
    Result result =
        command(
                Layout.CHECKOUT.resolve("bin/spark-submit"),
                "--class",
                "probe.Probe",
                probe,
                "properties")
            .run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("java.class.path=" + Layout.HOME + "/jars/shared/");
  }

  @Test
  void anotherInstallationsHomeIsPassedOverWithAWarning() throws Exception {
    Result result = submit("arguments").with("SPARK_HOME", "/opt/spark").run();

    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .contains("SPARK_HOME is /opt/spark", "using " + Layout.HOME);
    assertThat(result.exitCode()).isZero();
    assertThat(submit("arguments").with("SPARK_HOME", Layout.HOME).run().err()).isEmpty();
  }

  @Test
  void anOtherShellHandsOverToBash() throws Exception {
    Result result =
        command(
                "sh",
                "-e",
                Layout.HOME.resolve("bin/spark-submit"),
                "--class",
                "probe.Probe",
                probe,
                "arguments")
            .run();

    assertThat(result.out()).isEqualTo("arguments\0");
  }

  @Test
  void theCommandIsShownOnRequest() throws Exception {
    Result result = submit("arguments", "x").with("SPARK_PRINT_LAUNCH_COMMAND", "1").run();

    assertThat(result.err())
        .startsWith("Spark Command: /")
        .contains("io.kiln.submit.SparkSubmit --class probe.Probe");
    assertThat(result.out()).isEqualTo("arguments\0x\0");
  }

  @Test
  void theCommandIsShownWithoutSecrets() throws Exception {
    Result result =
        command(
                Layout.HOME.resolve("bin/spark-submit"),
                "-c",
                "spark.authenticate.secret=hush",
                "-c",
                "spark.driver.extraJavaOptions=-Dpassword=hush",
                "--class",
                "probe.Probe",
                probe,
                "arguments")
            .with("SPARK_PRINT_LAUNCH_COMMAND", "1")
            .run();

    assertThat(result.err())
        .contains(
            "-Dpassword=*********(redacted) ",
            "-c spark.authenticate.secret=*********(redacted) -c ",
            "spark.driver.extraJavaOptions=-Dpassword=*********(redacted) --class")
        .doesNotContain("hush");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void settingsThatCanNotBeMeantSoGetAWarning() throws Exception {
    Result result =
        command(
                Layout.HOME.resolve("bin/run-example"),
                "-c",
                "spark.default.parallelism=3",
                "-c",
                "spark.default.parallelism=2",
                "-c",
                "fs.s3a.endpoint=e",
                "-c",
                "mine=1",
                "-c",
                "spark.defualt.parallelism=2",
                "-c",
                "spark.kerberos.renewal.credentials=ccache",
                "SparkPi",
                "2")
            .run();

    assertThat(result.err().lines().map(line -> line.replaceFirst("^[0-9/: ]+ WARN \\w+: ", "")))
        .containsExactlyInAnyOrder(
            "Warning: --conf gives spark.default.parallelism more than once: the last one holds",
            "Warning: Ignoring fs.s3a.endpoint of --conf: it does not begin with spark.; did you"
                + " mean spark.hadoop.fs.s3a.endpoint?",
            "Warning: Ignoring mine of --conf: it does not begin with spark.",
            "spark.defualt.parallelism is not a known setting; did you mean"
                + " spark.default.parallelism?",
            "spark.kerberos.renewal.credentials has no effect yet: it belongs to running on YARN");
    assertThat(result.out()).contains("Pi is roughly");
  }

  @Test
  void aLauncherThatDoesNotAnswerHoldsUpNoProgram() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path errors = directory.resolve("errors");
      Process process =
          submit("wait")
              .with("_SPARK_LAUNCHER_PORT", silent.getLocalPort())
              .with("_SPARK_LAUNCHER_SECRET", "0".repeat(64))
              .redirectError(errors)
              .start();
      try (BufferedReader out = process.inputReader();
          Socket caller = silent.accept()) {
        assertThat(out.readLine()).isEqualTo("ready");
        assertThat(errors).as("it has not given up yet").isEmptyFile();
        caller.shutdownOutput();
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(143);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void aJavaThatIsTooOldIsPassedOver() throws Exception {
    Path old = Files.createDirectories(directory.resolve("jdk-17/bin"));
    Path java = old.resolve("java");
    Files.writeString(java, "#!/bin/sh\necho old >&2\nexit 9\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(directory.resolve("jdk-17/release"), "JAVA_VERSION=\"17.0.15\"\n");
    Command command = submit("properties").with("JAVA_HOME", directory.resolve("jdk-17"));
    command.with("PATH", old + ":" + command.environment().get("PATH"));

    Result result = command.run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).containsPattern("java.version=(2[5-9]|[3-9])");
  }

  @Test
  void confFilesAndEnvironmentReachTheJvm() throws Exception {
    Path conf = Files.createDirectory(directory.resolve("my conf"));
    Files.writeString(conf.resolve("spark-env.sh"), "PROBE='from env'\nSPARK_DRIVER_MEMORY=77m\n");
    Files.writeString(
        conf.resolve("spark-defaults.conf"),
        """
        spark.from.file yes
        spark.driver.extraJavaOptions -Dprobe.one="1 'x' 2" -Dprobe.two='3 "y"'
        """);
    Files.writeString(conf.resolve("java-opts"), "-Dprobe.three=3");

    Result result =
        submit("properties")
            .with("SPARK_CONF_DIR", conf)
            .with("SPARK_SUBMIT_OPTS", "-Dprobe.four='4 4'")
            .run();

    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines())
        .contains(
            "environment=from env",
            "spark.from.file=yes",
            "probe.one=1 'x' 2",
            "probe.two=3 \"y\"",
            "probe.three=3",
            "probe.four=4 4");
    assertThat(heapMegabytes(result)).isBetween(60L, 80L);
  }

  @Test
  void theLaunchersRefusalIsTheExitCode() throws Exception {
    Result result =
        command(Layout.HOME.resolve("bin/spark-submit"), "--mastr", "local", probe).run();

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("Error: Unknown option --mastr: did you mean --master?\n");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aLauncherThatCannotStartSaysSo() throws Exception {
    Result result = submit("arguments").with("SPARK_LAUNCHER_OPTS", "-XX:+NoSuchFlag").run();

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("NoSuchFlag");
  }

  @Test
  void optionsForEveryJvmDoNotConfuseTheLauncher() throws Exception {
    Result result = submit("arguments").with("JDK_JAVA_OPTIONS", "-XX:+UseG1GC -Dx=y").run();

    assertThat(result.out()).isEqualTo("arguments\0");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aForeignClassRunsWithTheEngineOnItsClassPath() throws Exception {
    Result result = command(Layout.HOME.resolve("bin/spark-class"), "io.kiln.launcher.Main").run();

    assertThat(result.err()).isEqualTo("Error: No class to start: spark-class CLASS [arguments]\n");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void helpAndVersionAreAnswered() throws Exception {
    Path script = Layout.HOME.resolve("bin/spark-submit");

    assertThat(command(script, "--version").run().out())
        .startsWith("Kiln version 0.")
        .contains("Java 25");
    assertThat(command(script, "--help").run().out()).contains("--driver-java-options OPTIONS");
    Result error = command(script, "--usage-error").run();
    assertThat(error.exitCode()).isEqualTo(1);
    assertThat(error.err()).startsWith("Usage: spark-submit");
  }

  @Test
  void everyScriptOfTheClusterSaysHowItIsUsed() throws Exception {
    try (Stream<Path> scripts = Files.list(Layout.HOME.resolve("sbin"))) {
      for (Path script : scripts.filter(file -> !file.endsWith("spark-config.sh")).toList()) {
        Result help = command(script, "--help").run();

        assertThat(help.out()).contains("Usage: " + script.getFileName() + " ");
        assertThat(help.err()).isEmpty();
        assertThat(help.exitCode()).isZero();
      }
    }
  }

  @Test
  void theHelpOfADaemonHasAllItsOptions() throws Exception {
    for (String daemon : List.of("master", "worker")) {
      String name = Character.toUpperCase(daemon.charAt(0)) + daemon.substring(1);
      String usage =
          command(
                  Layout.HOME.resolve("bin/spark-class"),
                  "org.apache.spark.deploy." + daemon + "." + name,
                  "--nothing")
              .run()
              .err();
      String help =
          command(Layout.HOME.resolve("sbin/start-" + daemon + ".sh"), "--help").run().out();

      List<String> options =
          Pattern.compile("\\[(--[a-z-]+ [A-Z]+)]")
              .matcher(usage)
              .results()
              .map(option -> option.group(1))
              .toList();
      assertThat(options).as(usage).hasSizeGreaterThan(3).allMatch(help::contains);
    }
  }

  @Test
  void theScriptOfTheCachesTakesNoOptionForADirectory() throws Exception {
    Path script = Layout.HOME.resolve("bin/make-aot-caches");

    assertThat(command(script, "--help").run().out()).contains("Usage: make-aot-caches ");
    Result refused = command(script, "--nothing").run();
    assertThat(refused.err())
        .isEqualTo("Error: Unknown option '--nothing'; usage: make-aot-caches [DIRECTORY]\n");
    assertThat(refused.exitCode()).isEqualTo(1);
  }

  @Test
  void theAotCacheIsInUse() throws Exception {
    assumeTrue(Files.isDirectory(Layout.HOME.resolve("aot")), "the build could make no cache");
    Path log = directory.resolve("classes.log");

    Result result =
        submit("arguments").with("SPARK_SUBMIT_OPTS", "-Xlog:class+load:file=" + log).run();

    assertThat(result.exitCode()).isZero();
    assertThat(Files.readString(log))
        .contains("io.kiln.submit.SparkSubmit source: shared objects file");
  }

  @Test
  void executorsStartFromACacheToo() throws Exception {
    assumeTrue(Files.isDirectory(Layout.HOME.resolve("aot")), "the build could make no cache");
    Path log = directory.resolve("executor.log");

    Result result =
        command(
                Layout.HOME.resolve("bin/run-example"),
                "--master",
                "local-cluster[1,1,512]",
                "--conf",
                "spark.executor.extraJavaOptions=-Xlog:class+load:file='" + log + "'",
                "SparkPi",
                "2")
            .run();

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(Files.readString(log))
        .contains("io.kiln.executor.process.ExecutorProcess source: shared objects file");
  }

  @Test
  void shellcheckFindsNothing() throws Exception {
    assumeTrue(
        command("sh", "-c", "command -v shellcheck").run().exitCode() == 0, "no shellcheck here");
    List<Object> words =
        new ArrayList<>(
            List.of("shellcheck", "-x", Layout.CHECKOUT.resolve("dist/src/build/assemble")));
    try (Stream<Path> scripts = Files.list(Layout.CHECKOUT.resolve("bin"))) {
      words.addAll(scripts.toList());
    }

    assertThat(command(words.toArray()).in(Layout.CHECKOUT).run().out()).isEmpty();
  }

  private static long heapMegabytes(Result result) {
    String heap =
        result.out().lines().filter(line -> line.startsWith("heap=")).findFirst().orElseThrow();
    return Long.parseLong(heap.substring("heap=".length())) >> 20;
  }

  private Command submit(Object... arguments) {
    List<Object> words =
        new ArrayList<>(
            List.of(Layout.HOME.resolve("bin/spark-submit"), "--class", "probe.Probe", probe));
    words.addAll(List.of(arguments));
    return command(words.toArray());
  }

  private Command command(Object... words) {
    return new Command(directory, words);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
    try (Stream<Path> scripts = Files.list(to.resolve("bin"))) {
      for (Path script : scripts.toList()) {
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }
}
