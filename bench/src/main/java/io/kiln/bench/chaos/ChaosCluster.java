package io.kiln.bench.chaos;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Three masters that agree by Raft and three workers, started and stopped by the scripts of a
/// distribution, with all their files in one directory. Thread-safe.
final class ChaosCluster {
  static final int MASTERS = 3;
  static final int WORKERS = 3;

  /// What kind of process it is.
  enum Kind {
    MASTER("org.apache.spark.deploy.master.Master"),
    WORKER("org.apache.spark.deploy.worker.Worker");

    private final String className;

    Kind(String className) {
      this.className = className;
    }

    int count() {
      return this == MASTER ? MASTERS : WORKERS;
    }
  }

  private static final Duration SCRIPT_TIMEOUT = Duration.ofSeconds(90);
  private static final Pattern RUNS_AS = Pattern.compile("runs, as process (\\d+)");

  private final Path home;
  private final Path directory;
  private final List<Integer> masterPorts;
  private final List<Integer> pagePorts;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  /// @param home of the distribution
  /// @param directory new; everything is in it
  ChaosCluster(Path home, Path directory) throws IOException {
    this.home = home;
    this.directory = directory;
    for (String part : List.of("pids", "logs", "local", "tmp", "home", "clients", "raft")) {
      Files.createDirectory(
          directory.resolve(part),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    List<Integer> ports = freePorts(3 * MASTERS);
    this.masterPorts = ports.subList(0, MASTERS);
    this.pagePorts = ports.subList(MASTERS, 2 * MASTERS);
    List<String> peers =
        ports.subList(2 * MASTERS, 3 * MASTERS).stream().map(port -> "127.0.0.1:" + port).toList();
    for (int i = 0; i < MASTERS; i++) {
      Files.writeString(
          masterConf(i + 1),
          String.join(
              "\n",
              "spark.deploy.recoveryMode RAFT",
              "spark.deploy.recoveryDirectory " + directory.resolve("raft/" + (i + 1)),
              "spark.kiln.deploy.raft.peers " + String.join(",", peers),
              "spark.kiln.deploy.raft.self " + peers.get(i),
              "spark.master.rest.enabled false",
              ""));
    }
  }

  private Path masterConf(int instance) {
    return directory.resolve("master-" + instance + ".conf");
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /// All masters, as applications and workers name them.
  String url() {
    return "spark://"
        + String.join(",", masterPorts.stream().map(port -> "127.0.0.1:" + port).toList());
  }

  Path directory() {
    return directory;
  }

  Path home() {
    return home;
  }

  /// The file of the secret, which the first master makes.
  Path secret() {
    return directory.resolve("home/.kiln/cluster.secret");
  }

  void start(Kind kind, int instance) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    if (kind == Kind.MASTER) {
      options.addAll(
          List.of("--properties-file", masterConf(instance).toString(), "--host", "127.0.0.1"));
      options.addAll(List.of("--port", masterPorts.get(instance - 1).toString()));
    } else {
      options.addAll(List.of("--host", "127.0.0.1", "--cores", "2", "--memory", "2g"));
      options.addAll(List.of("--work-dir", work(instance).toString(), url()));
    }
    Map<String, String> environment =
        kind == Kind.MASTER
            ? Map.of("SPARK_MASTER_WEBUI_PORT", pagePorts.get(instance - 1).toString())
            : Map.of("SPARK_WORKER_WEBUI_PORT", "0");
    daemon("start", kind, instance, options, environment);
  }

  private Path work(int instance) {
    return directory.resolve("work-" + instance);
  }

  void stop(Kind kind, int instance) throws IOException, InterruptedException {
    daemon("stop", kind, instance, List.of(), Map.of());
  }

  /// The process of a daemon, if it runs.
  Optional<ProcessHandle> find(Kind kind, int instance) throws IOException, InterruptedException {
    Matcher runs = RUNS_AS.matcher(daemon("status", kind, instance, List.of(), Map.of()));
    return runs.find() ? ProcessHandle.of(Long.parseLong(runs.group(1))) : Optional.empty();
  }

  private String daemon(
      String action, Kind kind, int instance, List<String> options, Map<String, String> more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(home.resolve("sbin/spark-daemon.sh").toString());
    words.addAll(List.of(action, kind.className, Integer.toString(instance)));
    words.addAll(options);
    ProcessBuilder builder = configured(new ProcessBuilder(words));
    builder.environment().putAll(more);
    Path output = directory.resolve("script-" + kind + "-" + instance + ".out");
    Process script = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    if (!script.waitFor(SCRIPT_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      script.destroyForcibly();
    }
    return Files.readString(output);
  }

  /// Gives a process the cluster's directories and secret.
  ProcessBuilder configured(ProcessBuilder builder) {
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
    environment.put("HOME", directory.resolve("home").toString());
    environment.put("SPARK_PID_DIR", directory.resolve("pids").toString());
    environment.put("SPARK_LOG_DIR", directory.resolve("logs").toString());
    environment.put("SPARK_LOCAL_DIRS", directory.resolve("local").toString());
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("SPARK_DAEMON_MEMORY", "256m");
    environment.put(
        "SPARK_DAEMON_JAVA_OPTS",
        String.join(
            " ",
            "-Djava.io.tmpdir=" + directory.resolve("tmp"),
            "-Duser.home=" + directory.resolve("home")));
    return builder;
  }

  /// One field of the leading master's state, as JSON without spaces; empty while none leads.
  Optional<String> ask(String field) throws InterruptedException {
    for (int port : pagePorts) {
      Optional<String> status = get(port, "status");
      if (status.isPresent() && status.get().contains("ALIVE")) {
        return get(port, field);
      }
    }
    return Optional.empty();
  }

  private Optional<String> get(int port, String field) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/" + field))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      String object = http.send(request, BodyHandlers.ofString()).body().replaceAll("\\s", "");
      return Optional.of(object.substring(object.indexOf(':') + 1, object.length() - 1));
    } catch (IOException e) {
      return Optional.empty(); // it does not run, or is stopped
    }
  }

  /// The running processes that workers have started.
  ///
  /// @param prefix of their directories: `app-` for executors, `driver-` for drivers
  List<ProcessHandle> children(String prefix) throws IOException {
    return processes().stream()
        .filter(
            process -> {
              Optional<Path> at = workingDirectory(process);
              return at.isPresent()
                  && at.get().startsWith(directory)
                  && directory
                      .relativize(at.get())
                      .toString()
                      .matches("work-\\d+/" + prefix + ".*");
            })
        .toList();
  }

  /// All that run in the cluster's directory, or name it on their command lines.
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(
            process ->
                workingDirectory(process).map(at -> at.startsWith(directory)).orElse(false)
                    || commandLine(process).contains(directory.toString()))
        .toList();
  }

  private static Optional<Path> workingDirectory(ProcessHandle process) {
    try {
      return Optional.of(
          Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd")));
    } catch (IOException e) {
      return Optional.empty(); // it has ended
    }
  }

  static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
          .replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  /// What should be gone once nothing runs: scratch, and the directories of applications.
  List<Path> leftFiles() throws IOException {
    List<Path> left = new ArrayList<>();
    for (String scratch : List.of("local", "tmp")) {
      try (Stream<Path> files = Files.list(directory.resolve(scratch))) {
        files.forEach(left::add);
      }
    }
    for (int instance = 1; instance <= WORKERS; instance++) {
      try (Stream<Path> files = Files.list(work(instance))) {
        files.filter(file -> file.getFileName().toString().startsWith("app-")).forEach(left::add);
      }
    }
    return left;
  }
}
