package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A cluster of real processes on this machine, started and stopped by its scripts.
@Timeout(180)
class StandaloneTest {
  private static final String MASTER_CLASS = "org.apache.spark.deploy.master.Master";

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @AfterEach
  void stop() throws Exception {
    script("stop-worker.sh").run();
    script("stop-master.sh").run();
    assertThat(processes("ExecutorMain")).as("executors left behind").isEmpty();
  }

  @Test
  void anApplicationRunsOnWorkersOfItsOwn() throws Exception {
    String url = startMaster();
    startWorkers(url, 2);

    Result result = submit(url, "sum").run();

    assertThat(result).isEqualTo(new Result(0, "499500\n", ""));
    try (Stream<Path> applications = Files.list(directory.resolve("work"))) {
      assertThat(applications).as("directories of an application that is over").isEmpty();
    }
  }

  @Test
  void theScriptsSayWhatRunsAndStartNothingTwice() throws Exception {
    assertThat(status().exitCode()).isEqualTo(3);
    startMaster();

    assertThat(status().out()).contains("Master (instance 1) runs, as process ");
    Result again = script("start-master.sh", "--host", "127.0.0.1", "--port", 0).run();
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("runs already");

    assertThat(script("stop-master.sh").run().out()).contains("has stopped");
    assertThat(script("stop-master.sh").run().out()).contains("does not run");
    assertThat(status().exitCode()).isEqualTo(3);
  }

  @Test
  void aPidFileOfAProcessThatIsGoneIsNoHindrance() throws Exception {
    startMaster();
    long pid = processes("MasterMain").getFirst().pid();
    kill(pid);
    Path file = onlyFile(directory.resolve("pids"));
    // The process id belongs to somebody else by now.
    Files.writeString(file, ProcessHandle.current().pid() + "\n12345\n");

    assertThat(script("stop-master.sh").run().out()).contains("does not run");
    startMaster();
  }

  @Test
  void badInputIsOneLine() throws Exception {
    for (List<Object> words :
        List.<List<Object>>of(
            List.of("start-master.sh", "--port", "x"),
            List.of("start-master.sh", "--prot", "1"),
            List.of("start-worker.sh"),
            List.of("start-worker.sh", "http://x"),
            List.of("start-worker.sh", "--memory", "much", "spark://127.0.0.1:1"),
            List.of("start-worker.sh", "--cores", "0", "spark://127.0.0.1:1"))) {
      Result result =
          script(words.getFirst().toString(), words.subList(1, words.size()).toArray())
              .with("SPARK_NO_DAEMONIZE", 1)
              .run();
      assertThat(result.exitCode()).as("%s", words).isEqualTo(1);
      assertThat(result.err().lines()).as("%s", words).hasSize(1);
    }
  }

  @Test
  void inClusterModeAWorkerRunsTheDriver() throws Exception {
    String url = startMaster();
    startWorkers(url, 1);
    Path log = logOf(MASTER_CLASS);
    while (!Files.readString(log).matches("(?s).*HTTP on port \\d+\n.*")) {
      Thread.onSpinWait();
    }
    String rest = Files.readString(log).replaceFirst("(?s).*HTTP on port (\\d+).*", "$1");
    String gateway = "spark://127.0.0.1:" + rest;

    Result submitted =
        submit(gateway, "sum")
            .with("DEPLOY_MODE", "cluster")
            .with("SPARK_DRIVER_MEMORY", "256m")
            .run();
    assertThat(submitted.exitCode()).as("%s", submitted).isZero();
    String id = submitted.err().replaceFirst("(?s).*\"submissionId\" : \"([^\"]+)\".*", "$1");
    Result status;
    do {
      status = ask(gateway, "--status", id).run();
    } while (status.err().matches("(?s).*(SUBMITTED|RUNNING)\".*"));

    assertThat(status.err()).contains("\"driverState\" : \"FINISHED\"");
    assertThat(directory.resolve("work").resolve(id).resolve("stdout")).hasContent("499500\n");
    Result kill = ask(gateway, "--kill", id).run();
    assertThat(kill.exitCode()).isEqualTo(1);
    assertThat(kill.err()).contains("Error: ", "FINISHED");
  }

  @Test
  void aWorkerWithoutTheSecretIsTurnedAway() throws Exception {
    String url = startMaster();
    Path other = Files.writeString(directory.resolve("other"), "another secret\n");
    new Command(directory, "chmod", "600", other).run();

    Command worker =
        script("start-worker.sh", "--cores", 1, "--memory", "512m", url)
            .with("SPARK_WORKER_OPTS", "-Dspark.kiln.deploy.secretFile=" + other);
    worker.run();

    Path log = logOf(MASTER_CLASS);
    while (!Files.readString(log).contains("WARN")) {
      Thread.onSpinWait();
    }
    assertThat(Files.readString(log)).contains("secret").doesNotContain("another secret");
  }

  @Test
  void killedExecutorsAndWorkersAreReplaced() throws Exception {
    String url = startMaster();
    startWorkers(url, 1);
    try (Running running = new Running(submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      kill(processes("ExecutorMain").getFirst().pid());
      kill(processes("WorkerMain").getFirst().pid());
      startWorkers(url, 1);
      running.goOn();

      assertThat(running.line()).isEqualTo("3");
      assertThat(running.exitCode()).isZero();
    }
  }

  @Test
  void aMasterThatComesBackFindsItsWorkersAndApplications() throws Exception {
    Path kept = directory.resolve("kept");
    String recovery =
        "-Dspark.deploy.recoveryMode=FILESYSTEM -Dspark.deploy.recoveryDirectory=" + kept;
    String url = startMaster(0, recovery);
    startWorkers(url, 1);
    try (Running running = new Running(submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      kill(processes("MasterMain").getFirst().pid());
      assertThat(startMaster(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)), recovery))
          .isEqualTo(url);
      // Its tasks may have finished without a master; what comes next needs one that knows it.
      kill(processes("ExecutorMain").getFirst().pid());
      running.goOn();

      assertThat(running.line()).isEqualTo("3");
      assertThat(running.exitCode()).isZero();
    }
    assertThat(submit(url, "sum").run().out()).isEqualTo("499500\n");
  }

  // ---- the cluster ----------------------------------------------------------------------------

  /// An application whose end the test waits for.
  private static final class Running implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    Running(Command command) throws IOException {
      process = command.start();
      out = process.inputReader();
    }

    String line() throws IOException {
      return out.readLine();
    }

    void goOn() throws IOException {
      process.getOutputStream().close();
    }

    int exitCode() throws InterruptedException {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private String startMaster() throws Exception {
    return startMaster(0, "");
  }

  /// @return its URL
  private String startMaster(int port, String options) throws Exception {
    Result started =
        script("start-master.sh", "--host", "127.0.0.1", "--port", port)
            .with("SPARK_MASTER_OPTS", options)
            .run();
    assertThat(started.exitCode()).as("%s", started).isZero();
    return started.out().replaceFirst("(?s).*(spark://[0-9.:]+).*", "$1");
  }

  private void startWorkers(String url, int workers) throws Exception {
    Result started =
        script("start-worker.sh", "--cores", 2, "--memory", "1g", "--host", "127.0.0.1", url)
            .with("SPARK_WORKER_INSTANCES", workers)
            .run();
    assertThat(started.exitCode()).as("%s", started).isZero();
  }

  private Result status() throws Exception {
    return script("spark-daemon.sh", "status", MASTER_CLASS, 1).run();
  }

  private Command script(String name, Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = Layout.HOME.resolve("sbin").resolve(name);
    System.arraycopy(words, 0, all, 1, words.length);
    return configured(new Command(directory, all)).with("SPARK_WORKER_INSTANCES", 2);
  }

  private Command ask(String url, String option, String id) {
    return configured(
        new Command(
            directory,
            Layout.HOME.resolve("bin/spark-submit"),
            "--master",
            url,
            "-c",
            "spark.kiln.deploy.secretFile=" + directory.resolve("secret"),
            option,
            id));
  }

  private Command submit(String url, Object... arguments) {
    List<Object> words = new ArrayList<>();
    words.addAll(
        List.of(
            Layout.HOME.resolve("bin/spark-submit"),
            "--master",
            url,
            "--executor-memory",
            "512m",
            "-c",
            "spark.kiln.deploy.secretFile=" + directory.resolve("secret"),
            "--class",
            "probe.Jobs",
            probe));
    words.addAll(Arrays.asList(arguments));
    return configured(new Command(directory, words.toArray()));
  }

  private Command configured(Command command) {
    return command
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .with("SPARK_PID_DIR", directory.resolve("pids"))
        .with("SPARK_LOG_DIR", directory.resolve("logs"))
        .with("SPARK_WORKER_DIR", directory.resolve("work"))
        .with("SPARK_LOCAL_DIRS", directory.resolve("scratch"))
        .with(
            "SPARK_DAEMON_JAVA_OPTS",
            "-Dspark.kiln.deploy.secretFile=" + directory.resolve("secret"));
  }

  /// Those of this test: other clusters may run here.
  private List<ProcessHandle> processes(String mainClass) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      Path proc = Path.of("/proc", Long.toString(process.pid()));
      try {
        if (Files.readString(proc.resolve("cmdline")).contains(mainClass)
            && Files.readString(proc.resolve("environ")).contains(directory.toString())) {
          found.add(process);
        }
      } catch (IOException e) {
        // it has ended
      }
    }
    return found;
  }

  private void kill(long pid) throws Exception {
    new Command(directory, "kill", "-9", pid).run();
    while (isAlive(pid)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isAlive(long pid) {
    try {
      return !Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private Path logOf(String mainClass) throws IOException {
    try (Stream<Path> logs = Files.list(directory.resolve("logs"))) {
      return logs.filter(log -> log.toString().contains(mainClass)).findFirst().orElseThrow();
    }
  }

  private static Path onlyFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().getFirst();
    }
  }
}
