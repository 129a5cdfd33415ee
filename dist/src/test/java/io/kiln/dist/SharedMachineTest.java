package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kiln.dist.Command.Result;
import io.kiln.dist.StandaloneCluster.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A machine with other users, with what dead processes have left, and with full disks.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class SharedMachineTest {
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

  /// A directory in which anybody may make files, as `/tmp` is; reached by everybody.
  private Path publicDirectory(String name) throws Exception {
    open(directory);
    Path made = Files.createDirectory(directory.resolve(name));
    assertThat(new Command(shared, "chmod", "1777", made).run().exitCode()).isZero();
    return made;
  }

  private static void open(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Result asNobody(Object... words) throws Exception {
    return new Command(shared, words).asNobody().run();
  }

  private static void assumeOtherUsersCanBeHad() {
    assumeTrue(
        System.getProperty("user.name").equals("root")
            && Files.isExecutable(Path.of("/usr/bin/setpriv")),
        "only root can be another user");
  }

  @Test
  void othersCanReadNothingOfIt() throws Exception {
    assumeOtherUsersCanBeHad();
    publicDirectory("scratch");
    publicDirectory("pids");
    publicDirectory("logs");
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    Path note = Files.writeString(directory.resolve("note.txt"), "x");
    try (Running running = new Running(cluster.submit(url, "hold", note))) {
      assertThat(running.line()).isEqualTo("ready");
      Files.delete(note);

      assertThat(asNobody("find", directory, "-type", "f", "-readable").out()).isEmpty();
      assertThat(
              asNobody("find", directory, "-mindepth", 1, "-writable", "!", "-type", "l")
                  .out()
                  .lines())
          .as("but for the directories that are everybody's")
          .containsExactlyInAnyOrder(
              directory.resolve("scratch").toString(),
              directory.resolve("pids").toString(),
              directory.resolve("logs").toString());
    }
  }

  @Test
  void whatSomebodySubmitsRunsAsThatUserWhereTheWorkerIsTold() throws Exception {
    assumeOtherUsersCanBeHad();
    assumeTrue(
        asNobody("test", "-x", Layout.HOME.resolve("bin/spark-submit")).exitCode() == 0,
        "others can't read this build");
    open(shared);
    publicDirectory("scratch");
    Path out = publicDirectory("out").resolve("numbers");
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1, "-Dspark.kiln.worker.runAsSubmitter=true");
    Path key = directory.resolve("nobody.key");
    Files.copy(directory.resolve("secret.submit.key"), key);
    assertThat(new Command(shared, "chown", "nobody", key).run().exitCode()).isZero();

    Result done =
        cluster
            .submitToCluster(
                url, true, List.of("-c", "spark.kiln.deploy.submitKeyFile=" + key), "write", out)
            .asNobody()
            .run();

    assertThat(done.exitCode()).as("%s", done).isZero();
    try (Stream<Path> written = Files.list(out)) {
      assertThat(written).hasSizeGreaterThan(1).allMatch(SharedMachineTest::isNobodys);
    }
    Path own = only(directory.resolve("work"), "driver-");
    assertThat(own.resolve("stderr")).matches(SharedMachineTest::isNobodys);
    assertThat(asNobody("touch", own.resolve("planted")).exitCode()).isNotZero();

    Result asRoot = cluster.submitToCluster(url, true, List.of(), "write", out).run();
    assertThat(asRoot.exitCode()).isNotZero();
    assertThat(asRoot.err()).contains("it can't run as root, who is root or of root's group");
  }

  private static boolean isNobodys(Path file) {
    try {
      return Files.getOwner(file).getName().equals("nobody");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatOthersPutInPlaceOfPidFilesAndLogsIsRefused() throws Exception {
    assumeOtherUsersCanBeHad();
    Path pids = publicDirectory("pids");
    Path logs = publicDirectory("logs");
    Process victim = new ProcessBuilder("sleep", "1000").start();
    try {
      cluster.startMaster();
      Path pidFile = only(pids);
      Path log = only(logs);
      assertThat(cluster.script("stop-master.sh").run().exitCode()).isZero();
      Files.delete(log);
      String started = startTime(victim.pid());

      asNobody(
          "sh",
          "-c",
          "printf '%s\\n%s\\n' \"$1\" \"$2\" >\"$3\"",
          "sh",
          victim.pid(),
          started,
          pidFile);
      assertThat(pidFile).exists();
      Result stopped = cluster.script("stop-master.sh").run();
      assertThat(stopped.exitCode()).isEqualTo(1);
      assertThat(stopped.err()).contains(pidFile.toString(), "SPARK_PID_DIR");
      assertThat(victim.isAlive()).isTrue();
      Files.delete(pidFile);

      Process ofAnother = new ProcessBuilder("setpriv", "--reuid=65534", "sleep", "1000").start();
      try {
        StandaloneCluster.await(() -> isNobodys(Path.of("/proc/" + ofAnother.pid())));
        Files.writeString(pidFile, ofAnother.pid() + "\n" + startTime(ofAnother.pid()) + "\n");
        Result none = cluster.script("stop-master.sh").run();
        assertThat(none.out()).contains("does not run");
        assertThat(ofAnother.isAlive()).isTrue();
      } finally {
        ofAnother.destroyForcibly();
      }

      Path precious = Files.writeString(directory.resolve("precious"), "precious");
      for (Path planted : List.of(pidFile, log)) {
        asNobody("ln", "-s", precious, planted);
        assertThat(Files.isSymbolicLink(planted)).isTrue();
        Result refused = cluster.script("start-master.sh", "--host", "127.0.0.1").run();
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains(planted.toString());
        assertThat(precious).hasContent("precious");
        Files.delete(planted);
      }
    } finally {
      victim.destroyForcibly();
    }
  }

  private static String startTime(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
  }

  private static Path only(Path parent) throws IOException {
    return only(parent, "");
  }

  private static Path only(Path parent, String prefix) throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(path -> path.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private List<Path> left(String parent) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve(parent))) {
      return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  @Test
  void whoStartsNextClearsWhatTheDeadLeft() throws Exception {
    String url = cluster.startMaster();
    cluster.startWorkers(url, 1);
    List<Path> ofDead;
    try (Running running = new Running(cluster.submit(url, "twice"))) {
      assertThat(running.line()).isEqualTo("3");
      ofDead = Stream.of(left("scratch"), left("work")).flatMap(List::stream).toList();
      assertThat(ofDead)
          .hasSizeGreaterThanOrEqualTo(4); // the worker's two, the driver's, and app-*
      for (ProcessHandle process : cluster.processes("SparkSubmit")) {
        cluster.kill(process.pid());
      }
      cluster.kill(cluster.processes("WorkerMain").getFirst().pid());
    }
    StandaloneCluster.await(() -> cluster.processes("ExecutorMain").isEmpty());

    cluster.startWorkers(url, 1);

    StandaloneCluster.await(() -> ofDead.stream().noneMatch(Files::exists));
    assertThat(left("scratch")).hasSize(1);
    assertThat(left("work")).hasSize(1);
  }

  /// As what the worker starts its processes by; the worker itself runs by another.
  private Path javaThatDoesNotRun() throws IOException {
    Path own = Path.of(System.getProperty("java.home"));
    Path broken = Files.createDirectories(directory.resolve("java/bin")).getParent();
    for (String name : List.of("conf", "lib")) {
      Files.createSymbolicLink(broken.resolve(name), own.resolve(name));
    }
    Path java = Files.writeString(broken.resolve("bin/java"), "#!/bin/sh\nexit 3\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return broken;
  }

  @Test
  void aWorkerThatCouldRunNothingDoesNotStart() throws Exception {
    String url = cluster.startMaster();
    Path file = Files.writeString(directory.resolve("file"), "");
    Result refused =
        cluster
            .script("start-worker.sh", "--work-dir", file.resolve("work"), url)
            .with("SPARK_WORKER_INSTANCES", 1)
            .with("SPARK_NO_DAEMONIZE", 1)
            .run();
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).startsWith("Error: this worker could run nothing").contains("work");
    assertThat(refused.err().lines()).hasSize(1);

    refused =
        cluster
            .script("start-worker.sh", url)
            .with("SPARK_WORKER_INSTANCES", 1)
            .with("SPARK_NO_DAEMONIZE", 1)
            .with("SPARK_WORKER_OPTS", "-Djava.home=" + javaThatDoesNotRun())
            .run();
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("bin/java ends with exit code 3");

    Path full = Files.createDirectory(directory.resolve("full"));
    assumeTrue(
        new Command(directory, "mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", full)
                .run()
                .exitCode()
            == 0,
        "only root can mount a small disk");
    try {
      Path roomy = directory.resolve("roomy");
      for (Command start :
          List.of(
              cluster.script("start-worker.sh", "--work-dir", full, url),
              cluster
                  .script("start-worker.sh", "--work-dir", roomy, url)
                  .with("SPARK_LOCAL_DIRS", full))) {
        refused = start.with("SPARK_WORKER_INSTANCES", 1).with("SPARK_NO_DAEMONIZE", 1).run();
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("No space left on device");
        assertThat(left("full")).isEmpty();
      }
    } finally {
      new Command(directory, "umount", "--lazy", full).run();
    }
  }

  @Test
  void aWorkerWhoseDiskBecomesFullIsGivenNothingUntilThereIsRoom() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(
        new Command(directory, "mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", disk)
                .run()
                .exitCode()
            == 0,
        "only root can mount a small disk");
    try {
      String url = cluster.startMaster();
      Result started =
          cluster
              .script("start-worker.sh", "--work-dir", disk, "--host", "127.0.0.1", url)
              .with("SPARK_WORKER_INSTANCES", 1)
              .with("SPARK_WORKER_WEBUI_PORT", 0)
              .with(
                  "SPARK_WORKER_OPTS",
                  "-Dspark.worker.timeout=4 -Dspark.kiln.worker.minFreeSpace=10m")
              .run();
      assertThat(started.exitCode()).as("%s", started).isZero();
      Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
      StandaloneCluster.await(() -> cluster.json(log).contains("ALIVE"));
      Path large = Files.write(disk.resolve("large"), new byte[15 << 20]);
      StandaloneCluster.await(() -> cluster.json(log).contains("leftout"));
      assertThat(cluster.json(log)).contains("MiB left, of the 10 MiB that a worker needs");
      Files.delete(large);
      StandaloneCluster.await(() -> !cluster.json(log).contains("leftout"));
      Result done = cluster.submit(url, "sum").run();
      assertThat(done.exitCode()).as("%s", done).isZero();
    } finally {
      cluster.stop();
      new Command(directory, "umount", "--lazy", disk).run();
    }
  }
}
