package io.kiln.bench.cluster;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.base.settings.Settings;
import io.kiln.cluster.master.Master;
import io.kiln.cluster.master.MasterEntry;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.master.MasterOptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.cluster.protocol.ToApplication.RegisteredApplication;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.WorkerDescription;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// How long the master takes for an event, and how much memory, as clusters grow: the master alone,
/// without a network and a store. Prints a table.
///
/// How to run it, and what it has printed:
/// docs/decisions/0011-masters-workers-and-who-is-believed.md.
public final class MasterSize {
  private static final int EXECUTORS = 100;
  private static final int CORES = 16;
  private static final Address SELF = new Address("master:7077", "master");

  /// A launch, and on which worker.
  private record Launched(int worker, LaunchExecutor launch) {}

  private final CollectingTurn turn = new CollectingTurn();
  private final int workers;
  private final int applications;
  private Master master;
  private long epoch;
  private long session;

  private MasterSize(int workers, int applications) {
    this.workers = workers;
    this.applications = applications;
    newMaster();
  }

  private void newMaster() {
    MasterOptions options =
        MasterOptions.of(
            Settings.of(new KilnConf(false).set("spark.deploy.retainedApplications", "200")),
            ZoneOffset.UTC);
    master = new Master(SELF, "spark://master:7077", "", options);
    List<MasterEntry> entries = List.copyOf(turn.entries.values());
    session++;
    say(new Elected(++epoch, entries, Instant.EPOCH));
  }

  public static void main(String[] arguments) {
    for (int i = 0; i < 3; i++) {
      new MasterSize(1_000, 100).run(false); // the compiler
    }
    System.out.println(
        "| workers | applications | executors | register a worker, µs | an application with its"
            + " executors, µs per executor | executor runs, µs | heartbeat, µs | executor ends and"
            + " is replaced, µs | worker comes back, µs | take over, ms | application ends, µs per"
            + " executor | heap, MB |");
    System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (int size : new int[] {1_000, 3_000, 10_000, 30_000}) {
      new MasterSize(size, size / 10).run(true);
    }
    for (int count : new int[] {100, 300, 3_000, 10_000}) {
      new MasterSize(10_000, count).run(true);
    }
  }

  private void run(boolean print) {
    long before = usedHeap();
    double register = microsEach(this::registerWorkers, workers);
    double apply = microsEach(this::registerApplications, 1) / Math.max(1, turn.launched.size());
    List<Launched> running = List.copyOf(turn.launched);
    double runs = microsEach(() -> reportAll(running, ExecutorState.RUNNING), running.size());
    turn.launched.clear();
    long heap = usedHeap() - before;
    double beat = microsEach(this::heartbeats, workers);
    List<Launched> ending = everyTenth(running);
    double replace = microsEach(() -> reportAll(ending, ExecutorState.EXITED), ending.size());
    Map<Integer, List<Launched>> byWorker = byWorker(without(running, ending));
    reportAll(List.copyOf(turn.launched), ExecutorState.RUNNING);
    turn.launched.forEach(l -> byWorker.computeIfAbsent(l.worker(), _ -> new ArrayList<>()).add(l));
    session++;
    double back = microsEach(() -> registerWorkersWith(byWorker), workers);
    double takeOver = microsEach(() -> takeOver(byWorker), 1) / 1000;
    int ended = byWorker.values().stream().mapToInt(List::size).sum();
    double end = microsEach(this::endApplications, Math.max(1, ended));
    if (print) {
      System.out.printf(
          "| %,d | %,d | %,d | %.1f | %.1f | %.1f | %.2f | %.1f | %.1f | %.0f | %.2f | %.0f |%n",
          workers,
          applications,
          running.size(),
          register,
          apply,
          runs,
          beat,
          replace,
          back,
          takeOver,
          end,
          heap / 1e6);
    }
  }

  private static double microsEach(Runnable phase, int events) {
    long start = System.nanoTime();
    phase.run();
    return (System.nanoTime() - start) / 1e3 / events;
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static List<Launched> everyTenth(List<Launched> all) {
    List<Launched> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 10) {
      some.add(all.get(i));
    }
    return some;
  }

  private static List<Launched> without(List<Launched> all, List<Launched> others) {
    List<Launched> rest = new ArrayList<>(all);
    rest.removeAll(new HashSet<>(others));
    return rest;
  }

  private static Map<Integer, List<Launched>> byWorker(List<Launched> all) {
    Map<Integer, List<Launched>> byWorker = new LinkedHashMap<>();
    all.forEach(l -> byWorker.computeIfAbsent(l.worker(), _ -> new ArrayList<>()).add(l));
    return byWorker;
  }

  private void say(MasterMessage message) {
    master.handle(message, turn);
  }

  // workers

  private static Address worker(int number) {
    return new Address("worker-" + number + ":7078", "worker");
  }

  private void registerWorkers() {
    for (int i = 0; i < workers; i++) {
      register(i, List.of());
    }
  }

  private void registerWorkersWith(Map<Integer, List<Launched>> running) {
    for (int i = 0; i < workers; i++) {
      register(
          i,
          running.getOrDefault(i, List.of()).stream()
              .map(launched -> report(launched, ExecutorState.RUNNING))
              .toList());
    }
  }

  private void register(int number, List<ExecutorStatus> executors) {
    WorkerDescription description =
        new WorkerDescription(worker(number), "worker-" + number, 7078, CORES, 65_536, "");
    say(new RegisterWorker("worker-" + number, number, session, description, executors, List.of()));
  }

  private void heartbeats() {
    for (int i = 0; i < workers; i++) {
      say(new WorkerHeartbeat("worker-" + i, i, session, epoch, worker(i), Long.MAX_VALUE, ""));
    }
  }

  private static ExecutorStatus report(Launched launched, ExecutorState state) {
    LaunchExecutor launch = launched.launch();
    return new ExecutorStatus(
        launch.applicationId(),
        launch.executorId(),
        launch.cores(),
        launch.memoryMebibytes(),
        state,
        Optional.empty(),
        state.isFinal() ? Optional.of(0) : Optional.empty());
  }

  private void reportAll(List<Launched> launched, ExecutorState state) {
    for (Launched one : launched) {
      say(
          new ExecutorStateChanged(
              "worker-" + one.worker(), one.worker(), session, report(one, state)));
    }
  }

  // applications

  private static Address application(int number) {
    return new Address("driver-" + number + ":4040", "client");
  }

  private void registerApplications() {
    for (int i = 0; i < applications; i++) {
      register(i, Optional.empty());
    }
  }

  private void register(int number, Optional<String> id) {
    ApplicationDescription description =
        new ApplicationDescription(
            "application " + number,
            Optional.of(EXECUTORS),
            Optional.of(1),
            1_024,
            new Command("Main", List.of(), Map.of(), List.of(), List.of(), List.of()),
            Map.of(),
            "user",
            "",
            Share.DEFAULT,
            Optional.empty());
    say(
        new RegisterApplication(
            number,
            session,
            id,
            application(number),
            description,
            ExecutorRequest.first(ExecutorRequest.NO_LIMIT)));
  }

  private void takeOver(Map<Integer, List<Launched>> running) {
    newMaster();
    for (int i = 0; i < applications; i++) {
      register(i, Optional.of(turn.ids.get(application(i))));
    }
    registerWorkersWith(running);
  }

  private void endApplications() {
    for (int i = 0; i < applications; i++) {
      String id = turn.ids.get(application(i));
      say(new UnregisterApplication(i, session, id, application(i)));
    }
  }

  /// Keeps what is answered later; timers never fire.
  private static final class CollectingTurn implements Turn {
    final List<Launched> launched = new ArrayList<>();
    final Map<Address, String> ids = new LinkedHashMap<>();
    final Map<String, MasterEntry> entries = new LinkedHashMap<>();
    private final RandomGenerator random = new SplittableRandom(1);

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    @Override
    public void send(Address to, Message message) {
      if (message instanceof LaunchExecutor launch) {
        String number = to.process().substring("worker-".length(), to.process().indexOf(':'));
        launched.add(new Launched(Integer.parseInt(number), launch));
      } else if (message instanceof RegisteredApplication registered) {
        ids.put(to, registered.applicationId());
      }
    }

    @Override
    public void startTimer(Object key, Duration delay, Message onFire) {}

    @Override
    public void cancelTimer(Object key) {}

    @Override
    public void persist(Entry entry) {
      MasterEntry kept = (MasterEntry) entry;
      if (kept instanceof MasterEntry.Removed(String key)) {
        entries.remove(key);
      } else {
        entries.put(kept.key(), kept);
      }
    }
  }
}
