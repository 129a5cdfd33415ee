package io.kiln.simulation.cluster;

import static io.kiln.simulation.cluster.ClusterChecks.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.cluster.client.ApplicationClient;
import io.kiln.cluster.client.ClientEvent;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientOptions;
import io.kiln.cluster.master.MasterEvent;
import io.kiln.cluster.master.MasterOptions;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationDescription.Share;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ClientMessage;
import io.kiln.cluster.protocol.Command;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.ToWorker.RegisteredWorker;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.worker.Worker;
import io.kiln.cluster.worker.WorkerEvent;
import io.kiln.cluster.worker.WorkerIdentity;
import io.kiln.cluster.worker.WorkerOptions;
import io.kiln.simulation.Faults;
import io.kiln.simulation.Outcome;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Three masters, twenty workers, applications and submissions, in which masters are replaced with
/// and without their knowledge, processes crash or stand still, and connections are cut; or masters
/// stand still, and nothing else is wrong: then nothing may be lost. Then nothing goes wrong any
/// more: every driver that was accepted must end in one state, every application must finish or
/// say why, and nothing that a worker runs may be left over. All of it follows from the seed.
public final class StandaloneSimulation {
  private static final int MASTERS = 3;
  private static final int WORKERS = 20;
  private static final int TROUBLED_STEPS = 60;
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final Duration SILENCE = Duration.ofSeconds(12);

  /// After which everybody has found out what had gone wrong.
  private static final Duration ALL_IS_KNOWN = Duration.ofMinutes(2);

  private static final int ALL_CORES = 10_000;

  /// There and back, as slowly as messages may go.
  private static final Duration MASTER_KNOWS = Duration.ofSeconds(1);

  /// All silences, back-offs and recoveries, and then whatever still waits in the queue.
  private static final int CALM_MINUTES = 15;

  private static final Command COMMAND =
      new Command("Main", List.of(), Map.of(), List.of(), List.of(), List.of());

  private final SplittableRandom random;
  private final SimulatedWorld world;
  private final ClusterChecks checks = new ClusterChecks();
  private final MasterProcesses masters;
  private final double misfortune;
  private final Map<String, RunnerDouble> workers = new TreeMap<>();
  private final Map<String, ApplicationDouble> applications = new TreeMap<>();
  private final List<SubmitterDouble> submitters = new ArrayList<>();
  private final List<Runnable> cuts = new ArrayList<>();

  /// Those whose allocation machines say how many executors they have.
  private final List<String> allocated = new ArrayList<>();

  /// When those were told, or last registered.
  private final Map<String, Long> toldToGo = new TreeMap<>();

  private long lastStallEndNanos;
  private int nextWorker;
  private int nextApplication;
  private int nextIncarnation = 1;
  private boolean processesFail = true;

  private StandaloneSimulation(long seed, boolean traced) {
    this.random = new SplittableRandom(seed);
    this.world =
        new SimulatedWorld(
            random.nextLong(),
            new Faults(0, _ -> false, Duration.ofMillis(1 + random.nextInt(300))),
            traced);
    world.keepOrder();
    this.misfortune = random.nextInt(5) == 0 ? 0 : random.nextDouble() * 0.25;
    this.masters = new MasterProcesses(world, checks, options(), MASTERS);
  }

  /// @throws AssertionError with the command that replays the run, if a machine broke its word
  public static Outcome run(long seed, boolean traced) {
    StandaloneSimulation simulation = new StandaloneSimulation(seed, traced);
    return Outcome.of("StandaloneSimulationTest", seed, simulation.world, simulation::run);
  }

  private MasterOptions options() {
    Map<String, Integer> weights = random.nextBoolean() ? Map.of() : Map.of("a", 1, "b", 3);
    double kept = random.nextInt(3) == 0 ? 0.5 : 0;
    return new MasterOptions(
        new MasterOptions.Waits(
            SILENCE,
            SILENCE,
            Duration.ofSeconds(2),
            Duration.ofSeconds(8),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60)),
        new MasterOptions.Scheduling(
            random.nextBoolean(),
            random.nextBoolean(),
            anyOf(List.of(MasterOptions.WorkerOrder.values())),
            random.nextBoolean() ? Integer.MAX_VALUE : 4,
            random.nextInt(4) == 0 ? -1 : 10,
            random.nextInt(4) == 0 ? 5 : Integer.MAX_VALUE,
            new MasterOptions.Shares(weights, kept)),
        new MasterOptions.Retention(1_000, 1_000, 1_000, SILENCE),
        new MasterOptions.Naming("app-%s-%04d", "driver-%s-%04d", 10_000, ZoneOffset.UTC));
  }

  private Outcome run() {
    masters.elect(0, false);
    for (int i = 0; i < WORKERS; i++) {
      startWorker();
    }
    for (int step = 0; step < TROUBLED_STEPS; step++) {
      arrivals();
      trouble();
      world.run(STEP, this::check);
      replaceEndedWorkers();
    }
    heal();
    calm();
    ApplicationDouble last = startApplication(Optional.of(1), 100, ExecutorRequest.NO_LIMIT);
    startSubmitter();
    calm(); // whatever has happened, there is progress
    demand(hasFinished(last) && last.executors() > 0, "a simple application got no executor");
    if (random.nextInt(4) == 0) { // it is long
      changeTotals();
    }
    int finished = (int) applications.values().stream().filter(this::hasFinished).count();
    return new Outcome(finished, applications.size() - finished, world.events(), world.trace());
  }

  /// One application that stays changes what it wants, while things go wrong and after.
  private void changeTotals() {
    ChangingTotals totals = startAllocated();
    for (int step = 0; step < TROUBLED_STEPS / 3; step++) {
      totals.change(List.copyOf(workers.keySet()));
      trouble();
      world.run(STEP, this::check);
      replaceEndedWorkers();
    }
    totals.settle();
    world.run(STEP, this::check);
    heal();
    processesFail = false;
    workers.values().forEach(RunnerDouble::heal);
    passCalmly(ALL_IS_KNOWN);
    if (totals.application().isDead()) {
      demand(misfortune > 0, "nothing went wrong, but an application was lost");
      totals = startAllocated();
      totals.settle();
    }
    totals.demandTotal(workers, checks, this::passCalmly);
    totals.settle();
    totals.demandTotal(workers, checks, this::passCalmly);
  }

  private void passCalmly(Duration time) {
    world.run(time, this::check);
    replaceEndedWorkers();
    masters.restartAll();
    masters.electIfNeeded(0);
  }

  private ChangingTotals startAllocated() {
    int cores = 1 + random.nextInt(3);
    int memory = 100 + random.nextInt(1_500);
    String process = "allocated-" + nextApplication++;
    AllocatedApplication application = AllocatedApplication.start(world, process);
    allocated.add(process);
    startClient(
        process, unbounded(cores, memory), random.nextBoolean() ? 0 : ExecutorRequest.NO_LIMIT);
    return new ChangingTotals(world, random, application, cores, memory);
  }

  private void calm() {
    for (int minutes = 0; minutes < CALM_MINUTES && !isAtRest(); minutes++) {
      passCalmly(Duration.ofMinutes(1)); // one that had been replaced may find out only now
    }
    demandRest();
    if (misfortune == 0) {
      demandNothingLost();
    }
  }

  // what comes

  private void arrivals() {
    if (random.nextInt(5) == 0) {
      int cores = random.nextInt(4);
      startApplication(
          Optional.of(cores).filter(some -> some > 0),
          100 + random.nextInt(1_500),
          random.nextBoolean() ? ExecutorRequest.NO_LIMIT : random.nextInt(10));
    }
    if (random.nextInt(5) == 0) {
      startSubmitter();
    }
  }

  private void startWorker() {
    String process = "worker-" + nextWorker++;
    int cores = 2 + random.nextInt(15);
    int memory = 1_000 + random.nextInt(8_000);
    Address self = new Address(process, "worker");
    Address runnerAddress = new Address(process, "runner");
    RunnerDouble runner =
        new RunnerDouble(self, cores, memory, processesFail ? misfortune : 0, checks);
    workers.put(process, runner);
    world.add(runnerAddress, Message.class, runner);
    world.add(
        self,
        WorkerMessage.class,
        new Worker(
            new WorkerIdentity(process, nextIncarnation++),
            new WorkerDescription(self, process, 7078, cores, memory, ""),
            masters.addresses(),
            runnerAddress,
            new WorkerOptions(SILENCE, 6, 16, 10, Optional.empty())));
    world.inject(Duration.ofMillis(random.nextInt(500)), self, new WorkerEvent.Start());
  }

  private ApplicationDouble startApplication(
      Optional<Integer> executorCores, int memoryMebibytes, int total) {
    String process = "application-" + nextApplication++;
    Address client = new Address(process, "client");
    Address self = new Address(process, "application");
    ApplicationDouble application =
        new ApplicationDouble(
            client, Duration.ofMillis(500 + random.nextInt(60_000)), random.nextInt(3) > 0);
    applications.put(process, application);
    world.add(self, Message.class, application);
    startClient(process, description(executorCores, memoryMebibytes), total);
    return application;
  }

  private void startClient(String process, ApplicationDescription description, int total) {
    Address client = new Address(process, "client");
    Machine<ClientMessage> machine =
        new ApplicationClient(
            nextIncarnation++,
            client,
            description,
            total,
            masters.addresses(),
            new Address(process, "application"),
            new ClientOptions(
                SILENCE, Duration.ofSeconds(20), 3, Duration.ofSeconds(2), Duration.ofSeconds(10)));
    world.add(client, ClientMessage.class, machine);
    world.inject(Duration.ZERO, client, new ClientEvent.Start());
  }

  /// Of an application that may have all cores, whatever the masters' default is.
  private ApplicationDescription unbounded(int executorCores, int memoryMebibytes) {
    return description(Optional.of(ALL_CORES), Optional.of(executorCores), memoryMebibytes);
  }

  private ApplicationDescription description(Optional<Integer> executorCores, int memoryMebibytes) {
    return description(
        random.nextBoolean() ? Optional.empty() : Optional.of(4 + random.nextInt(30)),
        executorCores,
        memoryMebibytes);
  }

  private ApplicationDescription description(
      Optional<Integer> maxCores, Optional<Integer> executorCores, int memoryMebibytes) {
    return new ApplicationDescription(
        "simulated",
        maxCores,
        executorCores,
        memoryMebibytes,
        COMMAND,
        Map.of(),
        "user",
        "",
        new Share(List.of("a", "b", "c").get(random.nextInt(3)), random.nextInt(3)),
        Optional.empty());
  }

  private void startSubmitter() {
    Address self = new Address("submitter-" + submitters.size(), "client");
    DriverDescription driver =
        new DriverDescription(
            "file:/app.jar",
            100 + random.nextInt(1_000),
            1 + random.nextInt(2),
            random.nextBoolean(),
            COMMAND,
            Map.of());
    int killAtLook = random.nextInt(4) == 0 ? 2 + random.nextInt(10) : -1;
    SubmitterDouble submitter =
        new SubmitterDouble(self, driver, masters.addresses(), checks, killAtLook);
    submitters.add(submitter);
    world.add(self, Message.class, submitter);
    world.inject(Duration.ZERO, self, new SubmitterDouble.Look());
  }

  // what goes wrong

  private void trouble() {
    if (random.nextInt(15) == 0) {
      stall(masters.addresses().get(random.nextInt(MASTERS)).process());
    }
    if (random.nextDouble() < misfortune / 2) {
      stall(anyOf(new ArrayList<>(workers.keySet())));
    }
    if (random.nextDouble() < misfortune / 2) {
      int index = random.nextInt(MASTERS);
      masters.crash(index);
      linksLost(masters.addresses().get(index));
    }
    if (random.nextDouble() < misfortune / 2) {
      masters.elect(random.nextInt(MASTERS), random.nextBoolean());
    }
    if (random.nextInt(4) == 0) {
      masters.restartAll();
    }
    if (random.nextInt(3) == 0) {
      masters.electIfNeeded(random.nextInt(MASTERS));
    }
    if (random.nextDouble() < misfortune) {
      crashWorker();
    }
    if (random.nextDouble() < misfortune / 2) {
      crashApplication();
    }
    if (random.nextDouble() < misfortune) {
      cutSome();
    }
    if (!cuts.isEmpty() && random.nextInt(6) == 0) {
      cuts.removeFirst().run();
    }
    if (random.nextDouble() < misfortune / 2) {
      String worker = anyOf(new ArrayList<>(workers.keySet()));
      boolean stops = random.nextBoolean();
      world.inject(
          Duration.ZERO,
          new Address(worker, "worker"),
          stops ? new WorkerEvent.Stop() : new WorkerEvent.Decommission());
      if (stops && random.nextBoolean()) { // while the cluster changes its leader
        int index = random.nextInt(MASTERS);
        masters.crash(index);
        linksLost(masters.addresses().get(index));
      }
    }
  }

  /// Perhaps for longer than others are patient.
  private void stall(String process) {
    Duration length = Duration.ofMillis(random.nextLong(2 * SILENCE.toMillis()));
    lastStallEndNanos = Math.max(lastStallEndNanos, world.nowNanos() + length.toNanos());
    world.stall(process, length);
  }

  private <T> T anyOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /// Those who talked to the master find out now, or only by its silence.
  private void linksLost(Address master) {
    for (String worker : workers.keySet()) {
      if (random.nextBoolean()) {
        world.inject(soon(), new Address(worker, "worker"), new WorkerEvent.LinkLost(master));
      }
    }
    List<String> all = new ArrayList<>(applications.keySet());
    all.addAll(allocated);
    for (String application : all) {
      if (random.nextBoolean()) {
        world.inject(soon(), new Address(application, "client"), new ClientEvent.LinkLost(master));
      }
    }
  }

  private Duration soon() {
    return Duration.ofMillis(random.nextInt(500));
  }

  private void crashWorker() {
    String worker = anyOf(new ArrayList<>(workers.keySet()));
    workers.remove(worker).die();
    world.crash(worker);
    mastersLose(new Address(worker, "worker"));
    startWorker();
  }

  private void crashApplication() {
    List<String> alive =
        applications.keySet().stream().filter(a -> applications.get(a).dead().isEmpty()).toList();
    if (!alive.isEmpty()) {
      String application = anyOf(alive);
      applications.remove(application);
      world.crash(application);
      mastersLose(new Address(application, "client"));
    }
  }

  private void mastersLose(Address address) {
    for (Address master : masters.addresses()) {
      if (random.nextBoolean()) {
        world.inject(soon(), master, new MasterEvent.LinkLost(address));
      }
    }
  }

  private void cutSome() {
    List<String> everybody = new ArrayList<>(workers.keySet());
    everybody.addAll(applications.keySet());
    everybody.addAll(allocated);
    String one = anyOf(everybody);
    if (random.nextBoolean()) {
      String master = anyOf(masters.addresses()).process();
      world.cut(one, master);
      cuts.add(() -> world.mend(one, master));
    } else {
      world.cutOff(one);
      cuts.add(() -> world.reconnect(one));
    }
    if (random.nextInt(4) == 0) {
      String master = anyOf(masters.addresses()).process();
      world.cutOff(master);
      cuts.add(() -> world.reconnect(master));
    }
  }

  private void heal() {
    world.healFaults();
    cuts.forEach(Runnable::run);
    masters.restartAll();
    masters.electIfNeeded(0);
    replaceEndedWorkers();
  }

  /// A worker that gave up, or was stopped, is started again, as another.
  private void replaceEndedWorkers() {
    for (String worker : List.copyOf(workers.keySet())) {
      if (workers.get(worker).hasEnded()) {
        workers.remove(worker).die();
        world.crash(worker);
        startWorker();
      }
    }
  }

  // what must hold

  private void check(Address to, Message message) {
    switch (message) {
      case ExecutorStateChanged changed -> {
        String why = changed.executor().message().orElse("");
        demand(
            !why.contains("the worker has only"), "a master gave more than there is: " + message);
      }
      case WorkerEvent.Stop _, WorkerEvent.Decommission _ ->
          toldToGo.put(to.process(), world.nowNanos());
      case RegisteredWorker _ ->
          toldToGo.computeIfPresent(to.process(), (_, _) -> world.nowNanos());
      case LaunchExecutor _ -> demandWanted(to, message);
      case LaunchDriver _ -> demandWanted(to, message);
      default -> {}
    }
  }

  /// A worker that is to go is given nothing, once its master can know.
  private void demandWanted(Address worker, Message launch) {
    Long since = toldToGo.get(worker.process());
    if (since != null && cuts.isEmpty()) {
      long known = Math.max(since, lastStallEndNanos) + MASTER_KNOWS.toNanos();
      demand(world.nowNanos() < known, worker + " is to go, but is given " + launch);
    }
  }

  private boolean hasFinished(ApplicationDouble application) {
    return application
        .dead()
        .map(Dead::state)
        .filter(state -> state == ApplicationState.FINISHED)
        .isPresent();
  }

  private void demandNothingLost() {
    applications.forEach(
        (name, application) ->
            demand(hasFinished(application), name + " was lost: " + application.dead()));
    for (SubmitterDouble submitter : submitters) {
      demand(
          submitter.end().filter(end -> end != DriverState.ERROR).isPresent(),
          submitter.driverId() + " was lost: " + submitter.last());
    }
  }

  private boolean isAtRest() {
    return applications.values().stream().allMatch(application -> application.dead().isPresent())
        && submitters.stream().allMatch(submitter -> submitter.end().isPresent())
        && checks.nothingIsLeft();
  }

  private void demandRest() {
    applications.forEach(
        (name, application) ->
            demand(application.dead().isPresent(), name + " neither finished nor said why"));
    for (SubmitterDouble submitter : submitters) {
      demand(submitter.driverId().isPresent(), "a submission was never accepted");
      Optional<DriverState> end = submitter.end();
      demand(
          end.isPresent(),
          "driver " + submitter.driverId() + " never ended, but was " + submitter.last());
    }
    checks.demandNothingLeft();
    masters.demandOneDriverARequest();
  }
}
