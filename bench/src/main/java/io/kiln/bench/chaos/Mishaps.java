package io.kiln.bench.chaos;

import io.kiln.bench.chaos.ChaosCluster.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Kills and stops processes of a cluster at random, one after the other, and starts daemons again.
/// Used by one thread.
///
/// More than half of the masters live at any time, and after each mishap all daemons run again.
final class Mishaps {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(12);

  private final ChaosCluster cluster;
  private final RandomGenerator random;
  private final Map<String, Integer> counts = new TreeMap<>();

  Mishaps(ChaosCluster cluster, RandomGenerator random) {
    this.cluster = cluster;
    this.random = random;
  }

  /// How often each thing has happened.
  Map<String, Integer> counts() {
    return counts;
  }

  void pause() throws InterruptedException {
    Thread.sleep(between(SHORTEST_PAUSE, LONGEST_PAUSE));
  }

  void one() throws IOException, InterruptedException {
    switch (random.nextInt(8)) {
      case 0 -> killDaemon(Kind.MASTER);
      case 1 -> killDaemon(Kind.WORKER);
      case 2 -> restartDaemon(random.nextBoolean() ? Kind.MASTER : Kind.WORKER);
      case 3 -> stopDaemon(random.nextBoolean() ? Kind.MASTER : Kind.WORKER);
      case 4, 5 -> killChild("executor", "app-");
      case 6 -> killChild("driver", "driver-");
      default -> stopChild();
    }
  }

  private void killDaemon(Kind kind) throws IOException, InterruptedException {
    int instance = 1 + random.nextInt(kind.count());
    Optional<ProcessHandle> process = cluster.find(kind, instance);
    if (process.isPresent()) {
      tell("kill -9", kind + " " + instance);
      boolean _ = process.get().destroyForcibly();
      Thread.sleep(between(Duration.ZERO, LONGEST_PAUSE));
    }
    cluster.start(kind, instance);
  }

  private void restartDaemon(Kind kind) throws IOException, InterruptedException {
    int instance = 1 + random.nextInt(kind.count());
    tell("restart", kind + " " + instance);
    cluster.stop(kind, instance);
    cluster.start(kind, instance);
  }

  private void stopDaemon(Kind kind) throws IOException, InterruptedException {
    int instance = 1 + random.nextInt(kind.count());
    Optional<ProcessHandle> process = cluster.find(kind, instance);
    if (process.isPresent()) {
      stopForAWhile(process.get(), kind + " " + instance);
    }
  }

  private void killChild(String kind, String prefix) throws IOException {
    Optional<ProcessHandle> process = anyChild(prefix);
    if (process.isPresent()) {
      tell("kill -9", kind);
      boolean _ = process.get().destroyForcibly();
    }
  }

  private void stopChild() throws IOException, InterruptedException {
    boolean driver = random.nextInt(3) == 0;
    Optional<ProcessHandle> process = anyChild(driver ? "driver-" : "app-");
    if (process.isPresent()) {
      stopForAWhile(process.get(), driver ? "driver" : "executor");
    }
  }

  private Optional<ProcessHandle> anyChild(String prefix) throws IOException {
    List<ProcessHandle> processes = cluster.children(prefix);
    return processes.isEmpty()
        ? Optional.empty()
        : Optional.of(processes.get(random.nextInt(processes.size())));
  }

  private void stopForAWhile(ProcessHandle process, String name)
      throws IOException, InterruptedException {
    tell("stop for a while", name);
    signal(process, "STOP");
    try {
      Thread.sleep(between(Duration.ofSeconds(1), LONGEST_STOP));
    } finally {
      signal(process, "CONT");
    }
  }

  private static void signal(ProcessHandle process, String name)
      throws IOException, InterruptedException {
    int _ = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private long between(Duration least, Duration most) {
    return random.nextLong(least.toMillis(), most.toMillis());
  }

  private void tell(String what, String whom) {
    System.out.println(ChaosMain.time() + " " + what + ": " + whom);
    counts.merge(
        what + " " + whom.toLowerCase(Locale.ROOT).replaceAll(" \\d", ""), 1, Integer::sum);
  }
}
