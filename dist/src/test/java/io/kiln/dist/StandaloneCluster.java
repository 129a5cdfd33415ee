package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A cluster of real processes on this machine, started and stopped by its scripts, with all its
/// files in one directory.
final class StandaloneCluster {
  static final String MASTER_CLASS = "org.apache.spark.deploy.master.Master";

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path directory;
  private final Path probe;

  /// @param probe the jar of the test's program
  StandaloneCluster(Path directory, Path probe) {
    this.directory = directory;
    this.probe = probe;
  }

  /// Ends what runs, and sees that nothing is left.
  void stop() throws Exception {
    script("stop-worker.sh").run();
    script("stop-master.sh").run();
    assertThat(processes("ExecutorMain")).as("executors left behind").isEmpty();
  }

  /// Looks again and again; the test's own timeout ends it.
  static void await(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) { // by the time-out of the test
        throw new InterruptedException();
      }
    }
  }

  /// An application whose end the test waits for.
  static final class Running implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    Running(Command command) throws IOException {
      process = command.start();
      out = process.inputReader();
    }

    String line() throws IOException {
      return out.readLine();
    }

    void enter() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
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

  String startMaster() throws Exception {
    return startMaster(0, "");
  }

  /// @return its URL
  String startMaster(int port, String options) throws Exception {
    Result started =
        script("start-master.sh", "--host", "127.0.0.1", "--port", port)
            .with("SPARK_MASTER_WEBUI_PORT", 0)
            .with("SPARK_MASTER_OPTS", options)
            .run();
    assertThat(started.exitCode()).as("%s", started).isZero();
    return started.out().replaceFirst("(?s).*(spark://[0-9.:]+).*", "$1");
  }

  void startWorkers(String url, int workers) throws Exception {
    startWorkers(url, workers, "");
  }

  void startWorkers(String url, int workers, String options) throws Exception {
    Result started =
        script("start-worker.sh", "--cores", 2, "--memory", "1g", "--host", "127.0.0.1", url)
            .with("SPARK_WORKER_INSTANCES", workers)
            .with("SPARK_WORKER_OPTS", options)
            .with("SPARK_WORKER_WEBUI_PORT", 0)
            .run();
    assertThat(started.exitCode()).as("%s", started).isZero();
  }

  Result status() throws Exception {
    return script("spark-daemon.sh", "status", MASTER_CLASS, 1).run();
  }

  Command script(String name, Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = Layout.HOME.resolve("sbin").resolve(name);
    System.arraycopy(words, 0, all, 1, words.length);
    return configured(new Command(directory, all)).with("SPARK_WORKER_INSTANCES", 2);
  }

  Command ask(String url, String option, String id) {
    return spark(url, option, id);
  }

  Command submit(String url, Object... arguments) {
    return submit(url, List.of(), arguments);
  }

  /// @param waits whether the submission ends with the driver
  /// @param options more of them
  Command submitToCluster(String url, boolean waits, List<String> options, Object... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--deploy-mode",
                "cluster",
                "-c",
                "spark.standalone.submit.waitAppCompletion=" + waits,
                "--driver-memory",
                "256m"));
    all.addAll(options);
    return submit(url, all, arguments);
  }

  Command submit(String url, List<String> options, Object... arguments) {
    List<Object> words =
        new ArrayList<>(List.of("--executor-memory", "512m", "--class", "probe.Jobs"));
    words.addAll(options);
    words.add(probe);
    words.addAll(Arrays.asList(arguments));
    return spark(url, words.toArray());
  }

  /// `spark-submit` with whatever words.
  Command spark(String url, Object... words) {
    List<Object> all =
        new ArrayList<>(
            List.of(
                Layout.HOME.resolve("bin/spark-submit"),
                "--master",
                url,
                "-c",
                "spark.kiln.deploy.secretFile=" + directory.resolve("secret")));
    all.addAll(Arrays.asList(words));
    return configured(new Command(directory, all.toArray()));
  }

  /// What a daemon shows of itself.
  ///
  /// @param log of the daemon, which says where
  String json(Path log) throws Exception {
    await(() -> Files.readString(log).contains("/json/"));
    String url = Files.readString(log).replaceFirst("(?s).*?state at (\\S+).*", "$1");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
          .body();
    }
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
  List<ProcessHandle> processes(String mainClass) throws IOException {
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

  /// @param name as `STOP`
  void signal(String name, long pid) throws Exception {
    assertThat(new Command(directory, "kill", "-s", name, pid).run().exitCode()).isZero();
  }

  void kill(long pid) throws Exception {
    new Command(directory, "kill", "-9", pid).run();
    await(() -> !isAlive(pid));
  }

  private static boolean isAlive(long pid) {
    try {
      return !Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  Path logOf(String mainClass) throws IOException {
    try (Stream<Path> logs = Files.list(directory.resolve("logs"))) {
      return logs.filter(log -> log.toString().contains(mainClass)).findFirst().orElseThrow();
    }
  }
}
