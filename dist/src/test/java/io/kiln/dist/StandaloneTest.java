package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import io.kiln.dist.StandaloneCluster.Running;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A cluster of real processes on this machine: its scripts, and what becomes of applications.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class StandaloneTest {
  @TempDir static Path shared;
  @TempDir Path directory;
  private StandaloneCluster cluster;
  private static Path probe;

  @BeforeAll
  static void compileProbe() throws IOException {
    probe = ProbeJar.build(shared).application();
  }

  @BeforeEach
  void useDirectory() {
    cluster = new StandaloneCluster(directory, probe);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.stop();
  }

  @Test
  void anApplicationRunsOnWorkersOfItsOwn() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 2);

    Result result = cluster.submit(url, "sum").run();

    assertThat(result).isEqualTo(new Result(0, "499500\n", ""));
    assertThat(cluster.submit(url, List.of("--class", "probe.Early"), "thread").run())
        .as("a program whose main method returns before its work is done")
        .isEqualTo(new Result(0, "half\nsaved 30\n", ""));
    StandaloneCluster.await(() -> applicationDirectories().isEmpty()); // workers hear of it later
  }

  private List<Path> applicationDirectories() throws IOException {
    try (Stream<Path> inWork = Files.list(directory.resolve("work"))) {
      return inWork.filter(path -> path.getFileName().toString().startsWith("app-")).toList();
    }
  }

  @Test
  void theScriptsSayWhatRunsAndStartNothingTwice() throws Exception {
    assertThat(cluster.status().exitCode()).isEqualTo(3);
    cluster.startMaster();

    assertThat(cluster.status().out()).contains("Master (instance 1) runs, as process ");
    Result again = cluster.script("start-master.sh", "--host", "127.0.0.1", "--port", 0).run();
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("runs already");

    assertThat(cluster.script("stop-master.sh").run().out()).contains("has stopped");
    assertThat(cluster.script("stop-master.sh").run().out()).contains("does not run");
    assertThat(cluster.status().exitCode()).isEqualTo(3);
  }

  @Test
  void aPidFileOfAProcessThatIsGoneIsNoHindrance() throws Exception {
    cluster.startMaster();
    long pid = cluster.processes("MasterMain").getFirst().pid();
    cluster.kill(pid);
    Path file = onlyFile(directory.resolve("pids"));
    // The process id belongs to somebody else by now.
    Files.writeString(file, ProcessHandle.current().pid() + "\n12345\n");

    assertThat(cluster.script("stop-master.sh").run().out()).contains("does not run");
    cluster.startMaster();
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
          cluster
              .script(words.getFirst().toString(), words.subList(1, words.size()).toArray())
              .with("SPARK_NO_DAEMONIZE", 1)
              .run();
      assertThat(result.exitCode()).as("%s", words).isEqualTo(1);
      assertThat(result.err().lines()).as("%s", words).hasSize(1);
    }
  }

  @Test
  void inClusterModeAWorkerRunsTheDriver() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);

    Result waited = cluster.submitToCluster(url, true, List.of(), "sum").run();
    assertThat(waited.exitCode()).as("%s", waited).isZero();
    String id = waited.err().replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");
    assertThat(waited.err())
        .contains("State of driver " + id + " is now RUNNING", id + " is now FINISHED");
    assertThat(directory.resolve("work").resolve(id).resolve("stdout")).hasContent("499500\n");

    Result early =
        cluster.submitToCluster(url, true, List.of("--class", "probe.Early"), "thread").run();
    assertThat(early.exitCode()).as("%s", early).isZero();
    String earlyId = early.err().replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");
    assertThat(directory.resolve("work").resolve(earlyId).resolve("stdout"))
        .hasContent("half\nsaved 30\n");

    Result failed = cluster.submitToCluster(url, true, List.of(), "exit", 3).run();
    assertThat(failed.exitCode()).as("%s", failed).isEqualTo(3);
    assertThat(failed.err()).contains("is now FAILED");

    Result kill = cluster.ask(url, "--kill", id).run();
    assertThat(kill.exitCode()).isEqualTo(1);
    assertThat(kill.err()).contains("Error: ", "FINISHED");
  }

  @Test
  void submissionsOverHttpAreTakenToo() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).matches("(?s).*HTTP on port \\d+\n.*"));
    String gateway =
        "spark://127.0.0.1:"
            + Files.readString(log).replaceFirst("(?s).*HTTP on port (\\d+).*", "$1");

    String overHttp = "spark.master.rest.enabled=true";
    Result waited =
        cluster.submitToCluster(gateway, true, List.of("-c", overHttp), "exit", 3).run();
    assertThat(waited.exitCode()).as("%s", waited).isEqualTo(3);
    String id = waited.err().replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");

    Result status = cluster.spark(gateway, "-c", overHttp, "--status", id).run();
    assertThat(status.err()).contains("\"driverState\" : \"FAILED\"", "\"exitCode\" : \"3\"");
    assertThat(cluster.ask(url, "--status", id).run().err()).contains(id + " is now FAILED");
    assertThat(Files.readString(log)).doesNotContain("A connection from");
  }

  /// Whoever holds the port that others were told of would be taken for the master.
  @Test
  void aPortThatWasNamedAndIsTakenEndsTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      Result own = cluster.script("start-master.sh", "--host", "127.0.0.1", "--port", port).run();
      assertThat(own.exitCode()).isEqualTo(1);
      String holder = "port " + port + " is taken by process " + ProcessHandle.current().pid();
      assertThat(own.err()).contains(holder, "choose another by --port");
      Result page =
          cluster
              .script("start-master.sh", "--host", "127.0.0.1", "--port", 0)
              .with("SPARK_MASTER_WEBUI_PORT", port)
              .run();
      assertThat(page.err()).contains(holder, "choose another by --webui-port");
      Result rest =
          cluster
              .script("start-master.sh", "--host", "127.0.0.1", "--port", 0)
              .with("SPARK_MASTER_WEBUI_PORT", 0)
              .with("SPARK_MASTER_OPTS", "-Dspark.master.rest.port=" + port)
              .run();
      assertThat(rest.err()).contains(holder, "choose another by spark.master.rest.port");
    }
  }

  @Test
  void whatLetsStrangersInIsSaid() throws Exception {
    cluster.startMaster(
        0, "-Dspark.kiln.master.rest.authenticate=false -Dspark.network.crypto.enabled=false");
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).contains("HTTP on port"));
    assertThat(Files.readString(log))
        .contains(
            "spark.kiln.master.rest.authenticate=false: whoever reaches",
            "spark.network.crypto.enabled=false: who sits between");
  }

  @Test
  void aClusterThatBelievesEverybodyIsWarnedOf() throws Exception {
    cluster.startMaster(0, "-Dspark.authenticate=false");
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).contains("HTTP on port"));
    assertThat(Files.readString(log))
        .contains(
            "spark.authenticate=false: whoever reaches a port of this process",
            "spark.authenticate=false: whoever reaches the port for submissions over HTTP");
  }

  @Test
  void aWorkerWithoutTheSecretIsTurnedAway() throws Exception {
    String url = cluster.startMaster();
    Path other = Files.writeString(directory.resolve("other"), "another secret\n");
    new Command(directory, "chmod", "600", other).run();

    Command worker =
        cluster
            .script("start-worker.sh", "--cores", 1, "--memory", "512m", url)
            .with("SPARK_WORKER_OPTS", "-Dspark.kiln.deploy.secretFile=" + other);
    worker.run();

    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).contains("WARN"));
    assertThat(Files.readString(log)).contains("secret").doesNotContain("another secret");
  }

  @Test
  void killedExecutorsAndWorkersAreReplaced() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    try (StandaloneCluster.Running running =
        new StandaloneCluster.Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      cluster.kill(cluster.processes("ExecutorMain").getFirst().pid());
      cluster.kill(cluster.processes("WorkerMain").getFirst().pid());
      cluster.startWorkers(url, 1);
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
    String url = cluster.startMaster(0, recovery);
    cluster.startWorkers(url, 1);
    try (StandaloneCluster.Running running =
        new StandaloneCluster.Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      cluster.kill(cluster.processes("MasterMain").getFirst().pid());
      assertThat(
              cluster.startMaster(
                  Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)), recovery))
          .isEqualTo(url);
      // Its tasks may have finished without a master; what comes next needs one that knows it.
      cluster.kill(cluster.processes("ExecutorMain").getFirst().pid());
      running.goOn();

      assertThat(running.line()).isEqualTo("3");
      assertThat(running.exitCode()).isZero();
    }
    assertThat(cluster.submit(url, "sum").run().out()).isEqualTo("499500\n");
  }

  @Test
  void aMasterThatStoodStillHasLostNobody() throws Exception {
    String silence = "-Dspark.worker.timeout=4 -Dspark.kiln.deploy.applicationTimeout=4";
    String url = cluster.startMaster(0, silence);
    cluster.startWorkers(url, 1, silence);
    List<String> silenceToo = List.of("-c", "spark.kiln.deploy.applicationTimeout=4");
    try (Running running = new Running(cluster.submit(url, silenceToo, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      long master = cluster.processes("MasterMain").getFirst().pid();
      cluster.signal("STOP", master);
      long stopped = System.nanoTime();
      StandaloneCluster.await(
          () -> System.nanoTime() - stopped > TimeUnit.SECONDS.toNanos(6)); // all are overdue
      cluster.signal("CONT", master);

      assertThat(cluster.json(cluster.logOf("master.Master")))
          .contains("ALIVE")
          .doesNotContain("DEAD")
          .doesNotContain("FAILED");
      running.goOn();
      assertThat(running.line()).isEqualTo("3");
      assertThat(running.exitCode()).isZero();
    }
  }

  @Test
  void aDriversEndIsHeardThoughItsWorkerIsStoppedWhileThereIsNoMaster() throws Exception {
    Path kept = directory.resolve("kept");
    String recovery =
        "-Dspark.deploy.recoveryMode=FILESYSTEM -Dspark.deploy.recoveryDirectory=" + kept;
    String url = cluster.startMaster(0, recovery);
    cluster.startWorkers(url, 1);
    String said = cluster.submitToCluster(url, false, List.of(), "sum").run().err();
    String driver = said.replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");
    StandaloneCluster.await(() -> !cluster.processes("ExecutorMain").isEmpty());
    cluster.kill(cluster.processes("MasterMain").getFirst().pid());
    StandaloneCluster.await(() -> cluster.processes("work/" + driver).isEmpty());
    Process stopping = cluster.script("stop-worker.sh").start();
    int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    assertThat(cluster.startMaster(port, recovery)).isEqualTo(url);

    assertThat(stopping.waitFor()).isZero();
    assertThat(cluster.ask(url, "--status", driver).run().err()).contains("FINISHED");
    assertThat(cluster.json(cluster.logOf("master.Master")))
        .contains("FINISHED")
        .doesNotContain("FAILED")
        .doesNotContain("ERROR");
  }

  private static Path onlyFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().getFirst();
    }
  }

  @Test
  void aWorkerThatIsDecommissionedEndsAndNothingIsComputedAgain() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    Result refused = decommissionFirstWorker();
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("spark.decommission.enabled=true").hasLineCount(1);
    cluster.script("stop-worker.sh").run();

    cluster.startWorkers(url, 2, "-Dspark.decommission.enabled=true");
    List<String> options =
        List.of(
            "--class",
            "probe.Keeping",
            "-c",
            "spark.decommission.enabled=true",
            "-c",
            "spark.storage.decommission.enabled=true");
    try (Running running = new Running(cluster.submit(url, options))) {
      String first = running.line();
      assertThat(first).isEqualTo("499500 10, computed 1000 and 1000");
      assertThat(cluster.processes("ExecutorMain")).hasSize(2);

      Result gone = decommissionFirstWorker();
      assertThat(gone.exitCode()).as("%s", gone).isZero();
      assertThat(gone.out().lines())
          .containsExactly(
              "Worker (instance 1) takes nothing more, and ends once it is empty",
              "Worker (instance 1) has ended");
      assertThat(cluster.processes("ExecutorMain")).hasSize(1);
      assertThat(cluster.processes("WorkerMain")).hasSize(1);

      running.enter();
      assertThat(running.line()).isEqualTo(first);
      running.goOn();
      assertThat(running.exitCode()).isZero();
    }
  }

  private Result decommissionFirstWorker() throws Exception {
    return cluster
        .script("decommission-worker.sh", "--block-until-exit")
        .with("SPARK_WORKER_INSTANCES", 1)
        .run();
  }
}
