package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import io.kiln.dist.StandaloneCluster.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Several masters in real processes, of which one after the other is killed or stopped for a
/// while.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class SeveralMastersTest {
  private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m ";

  @TempDir static Path shared;
  @TempDir Path directory;
  private static Path probe;
  private StandaloneCluster cluster;
  private final List<Integer> masters = new ArrayList<>();
  private Optional<Process> zooKeeper = Optional.empty();

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @BeforeEach
  void make() {
    cluster = new StandaloneCluster(directory, probe);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.script("stop-worker.sh").run();
    for (int instance : masters) {
      daemon("stop", instance).run();
    }
    zooKeeper.ifPresent(Process::destroyForcibly);
    assertThat(cluster.processes("ExecutorMain")).as("executors left behind").isEmpty();
  }

  @Test
  void aQuorumOfMastersLosesOneAfterTheOther() throws Exception {
    List<String> peers = freeAddresses(3);
    List<String> options = new ArrayList<>();
    for (String self : peers) {
      options.add(
          "-Dspark.deploy.recoveryMode=RAFT -Dspark.kiln.deploy.raft.electionTimeout=500ms"
              + " -Dspark.deploy.recoveryDirectory="
              + directory.resolve("kept")
              + " -Dspark.kiln.deploy.raft.peers="
              + String.join(",", peers)
              + " -Dspark.kiln.deploy.raft.self="
              + self);
    }
    String url = startMasters(options);
    int first = awaitLeader(List.of(1, 2, 3));
    cluster.startWorkers(url, 2);
    String driver = submitDriver(url);
    List<String> oneCore = List.of("-c", "spark.cores.max=1");
    try (Running running = new Running(cluster.submit(url, oneCore, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      cluster.kill(pid(first));
      int second = awaitLeader(others(first, 3));
      assertThat(cluster.ask(url, "--status", driver).run().err()).contains("RUNNING");
      start(first, options.get(first - 1));
      stop(second);
      int third = awaitLeader(others(second, 3));
      goOnWithANewExecutor(running);
      goOn(second);

      assertThat(List.of(1, 2, 3).stream().filter(this::leads)).containsExactly(third);
    }
    assertThat(cluster.ask(url, "--kill", driver).run().exitCode()).isZero();
    assertThat(driverDirectories()).as("launches of the driver").isEqualTo(1);
  }

  @Test
  void mastersAgreeByZooKeeper() throws Exception {
    String options =
        "-Dspark.deploy.recoveryMode=ZOOKEEPER -Dspark.kiln.deploy.zookeeper.sessionTimeout=2s"
            + " -Dspark.deploy.zookeeper.url="
            + startZooKeeper();
    String url = startMasters(List.of(options, options));
    int first = awaitLeader(List.of(1, 2));
    int second = 3 - first;
    cluster.startWorkers(url, 1);
    try (Running running = new Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      stop(first);
      assertThat(awaitLeader(List.of(second))).isEqualTo(second);
      goOnWithANewExecutor(running);
      goOn(first);
    }
    assertThat(leads(second)).isTrue();
    cluster.kill(pid(second));
    assertThat(awaitLeader(List.of(first))).isEqualTo(first);
    assertThat(cluster.submit(url, "sum").run().out()).isEqualTo("499500\n");
  }

  /// Its next job needs a master that knows the application.
  private void goOnWithANewExecutor(Running running) throws Exception {
    for (ProcessHandle executor : cluster.processes("ExecutorMain")) {
      cluster.kill(executor.pid());
    }
    running.goOn();
    assertThat(running.line()).isEqualTo("3");
    assertThat(running.exitCode()).isZero();
  }

  private void stop(int leader) throws Exception {
    new Command(directory, "kill", "-STOP", pid(leader)).run();
  }

  /// It thinks that it leads still, until it hears otherwise.
  private void goOn(int former) throws Exception {
    assertThat(leads(former)).isTrue();
    new Command(directory, "kill", "-CONT", pid(former)).run();
    StandaloneCluster.await(() -> !leads(former));
  }

  // ---- the cluster ----------------------------------------------------------------------------

  /// @return the URL of all
  private String startMasters(List<String> options) throws Exception {
    List<String> addresses = new ArrayList<>();
    for (int instance = 1; instance <= options.size(); instance++) {
      addresses.add(start(instance, options.get(instance - 1)));
    }
    return "spark://" + String.join(",", addresses);
  }

  /// @return `host:port`; a master that is started again has the one that it had
  private String start(int instance, String options) throws Exception {
    int again = masters.contains(instance) ? portOf(instance) : 0;
    Result started =
        daemon("start", instance, "--host", "127.0.0.1", "--port", again)
            .with("SPARK_MASTER_OPTS", QUICK + "-Dspark.master.rest.enabled=false " + options)
            .run();
    assertThat(started.exitCode()).as("%s", started).isZero();
    if (!masters.contains(instance)) {
      masters.add(instance);
    }
    return started.out().replaceFirst("(?s).*spark://([0-9.:]+).*", "$1");
  }

  private int portOf(int instance) throws IOException {
    String log = Files.readString(log(instance));
    return Integer.parseInt(log.replaceFirst("(?s).*spark://[0-9.]+:([0-9]+).*", "$1"));
  }

  private Command daemon(String action, int instance, Object... words) {
    List<Object> all = new ArrayList<>();
    all.addAll(List.of(action, StandaloneCluster.MASTER_CLASS, instance));
    all.addAll(List.of(words));
    return cluster.script("spark-daemon.sh", all.toArray());
  }

  /// Not one of before its last start.
  private Path log(int instance) throws IOException {
    String name = StandaloneCluster.MASTER_CLASS + "-" + instance + "-";
    try (Stream<Path> logs = Files.list(directory.resolve("logs"))) {
      return logs.filter(log -> log.toString().contains(name) && log.toString().endsWith(".out"))
          .findFirst()
          .orElseThrow();
    }
  }

  private long pid(int instance) throws Exception {
    String said = daemon("status", instance).run().out();
    return Long.parseLong(said.replaceFirst("(?s).*process (\\d+).*", "$1"));
  }

  /// As it says of itself.
  private boolean leads(int instance) {
    try {
      List<String> news =
          Files.readAllLines(log(instance)).stream()
              .filter(line -> line.contains("It leads") || line.contains("It stands by"))
              .toList();
      return !news.isEmpty() && news.getLast().contains("It leads");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int awaitLeader(List<Integer> of) throws Exception {
    StandaloneCluster.await(() -> of.stream().anyMatch(this::leads));
    return of.stream().filter(this::leads).findFirst().orElseThrow();
  }

  private static List<Integer> others(int instance, int all) {
    return Stream.iterate(1, i -> i <= all, i -> i + 1).filter(i -> i != instance).toList();
  }

  private String submitDriver(String url) throws Exception {
    Path file = Files.writeString(directory.resolve("held"), "x");
    List<String> options = List.of("-c", "spark.cores.max=1");
    Result submitted = cluster.submitToCluster(url, false, options, "hold", file).run();
    assertThat(submitted.exitCode()).as("%s", submitted).isZero();
    String id = (submitted.out() + submitted.err()).replaceFirst("(?s).*(driver-[0-9-]+).*", "$1");
    Path out = directory.resolve("work").resolve(id).resolve("stdout");
    StandaloneCluster.await(() -> Files.exists(out) && Files.readString(out).equals("ready\n"));
    return id;
  }

  private long driverDirectories() throws IOException {
    try (Stream<Path> made = Files.list(directory.resolve("work"))) {
      return made.filter(path -> path.getFileName().toString().startsWith("driver-")).count();
    }
  }

  /// Its server, from the jars that masters load, in a process of its own.
  private String startZooKeeper() throws Exception {
    String address = freeAddresses(1).getFirst();
    Path file =
        Files.writeString(
            directory.resolve("zoo.cfg"),
            "dataDir=%s%nclientPort=%s%nclientPortAddress=127.0.0.1%ntickTime=500%nforceSync=no%n"
                    .formatted(directory.resolve("zookeeper"), address.split(":")[1])
                + "admin.enableServer=false\n");
    zooKeeper =
        Optional.of(
            new Command(
                    directory,
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                    file)
                .redirectError(directory.resolve("zookeeper.log"))
                .start());
    return address; // masters wait for it
  }

  /// Of ports that nobody has at the moment.
  private static List<String> freeAddresses(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      held.add(socket);
      addresses.add("127.0.0.1:" + socket.getLocalPort());
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
    return addresses;
  }
}
