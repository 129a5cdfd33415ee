package io.kiln.bench.chaos;

import io.kiln.bench.chaos.ChaosApplication.Verdict;
import io.kiln.bench.chaos.ChaosCluster.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs applications on a standalone cluster while its processes are killed and stopped at random:
/// `ChaosMain HOME JAR DIRECTORY SEED MINUTES APPLICATIONS`. Tells what happened and what became of
/// each application.
///
/// Exit code 1 when an application gave a wrong result or no reason, when the cluster gave cores
/// away that nobody has, or when processes or files are left.
final class ChaosMain {
  private static final int AT_ONCE = 3;
  private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(2);

  private final ChaosCluster cluster;
  private final Path jar;
  private final Mishaps mishaps;
  private final List<String> faults = new ArrayList<>();

  private ChaosMain(ChaosCluster cluster, Path jar, long seed) {
    this.cluster = cluster;
    this.jar = jar;
    this.mishaps = new Mishaps(cluster, new SplittableRandom(seed));
  }

  public static void main(String[] arguments) throws Exception {
    ChaosCluster cluster = new ChaosCluster(Path.of(arguments[0]), Path.of(arguments[2]));
    ChaosMain chaos = new ChaosMain(cluster, Path.of(arguments[1]), Long.parseLong(arguments[3]));
    try {
      chaos.run(Duration.ofMinutes(Integer.parseInt(arguments[4])), Integer.parseInt(arguments[5]));
    } finally {
      cluster.processes().forEach(ProcessHandle::destroyForcibly);
    }
    System.exit(chaos.faults.isEmpty() ? 0 : 1);
  }

  static String time() {
    return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private void run(Duration length, int applications) throws Exception {
    for (Kind kind : Kind.values()) {
      for (int instance = 1; instance <= kind.count(); instance++) {
        cluster.start(kind, instance);
      }
    }
    await("a master leads and has all workers", () -> workers() == ChaosCluster.WORKERS);
    System.out.println(time() + " the cluster runs at " + cluster.url());
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> trouble = threads.submit(() -> makeTrouble(length, over));
      runApplications(applications, over);
      over.set(true);
      trouble.get();
    }
    System.out.println("mishaps: " + mishaps.counts());
    settle();
    stopAll();
    cluster.processes().forEach(this::tellLeft);
    System.out.println(faults.isEmpty() ? "all is well" : "FAULTS: " + faults);
  }

  private Void makeTrouble(Duration length, AtomicBoolean over) throws Exception {
    long endNanos = System.nanoTime() + length.toNanos();
    while (!over.get() && System.nanoTime() < endNanos) {
      mishaps.pause();
      mishaps.one();
    }
    return null;
  }

  private void runApplications(int applications, AtomicBoolean over) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Verdict>> verdicts = new ArrayList<>();
      for (int seed = 0; seed < applications; seed++) {
        ChaosApplication submission = new ChaosApplication(cluster, jar, seed, seed % 2 == 1);
        verdicts.add(threads.submit(() -> tell(submission)));
      }
      for (int seed = 0; seed < applications; seed++) {
        if (!verdicts.get(seed).get().good()) {
          faults.add("application " + seed);
        }
      }
    } finally {
      over.set(true);
    }
  }

  private static Verdict tell(ChaosApplication submission)
      throws IOException, InterruptedException {
    Verdict verdict = submission.run();
    System.out.println(time() + " application " + submission.seed() + ": " + verdict.text());
    return verdict;
  }

  /// Everything runs again, the last application has ended: nothing may be in use.
  private void settle() throws Exception {
    for (Kind kind : Kind.values()) {
      for (int instance = 1; instance <= kind.count(); instance++) {
        cluster.stop(kind, instance);
        cluster.start(kind, instance);
      }
    }
    await("no core is in use, and no application runs", this::isIdle);
    Verdict last = tell(new ChaosApplication(cluster, jar, 10_000, false));
    if (!last.right()) {
      faults.add("the application after all mishaps");
    }
    await("no core is in use after the last application", this::isIdle);
  }

  private boolean isIdle() throws InterruptedException {
    return workers() == ChaosCluster.WORKERS
        && cluster.ask("coresused").equals(Optional.of("0"))
        && cluster.ask("activeapps").equals(Optional.of("[]"))
        && cluster.ask("activedrivers").equals(Optional.of("[]"));
  }

  private int workers() throws InterruptedException {
    return cluster.ask("aliveworkers").map(Integer::parseInt).orElse(0);
  }

  private void stopAll() throws Exception {
    for (Kind kind : List.of(Kind.WORKER, Kind.MASTER)) {
      for (int instance = 1; instance <= kind.count(); instance++) {
        cluster.stop(kind, instance);
      }
    }
    await("no process is left", () -> cluster.processes().isEmpty());
    List<Path> files = cluster.leftFiles();
    if (!files.isEmpty()) {
      faults.add("left files: " + files);
    }
  }

  private void tellLeft(ProcessHandle process) {
    System.out.println("left: " + process.pid() + " " + ChaosCluster.commandLine(process));
  }

  private void await(String what, Callable<Boolean> condition) throws Exception {
    long endNanos = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > endNanos) {
        faults.add("not so within " + SETTLE_TIMEOUT.toSeconds() + " s: " + what);
        return;
      }
      Thread.sleep(200);
    }
  }
}
