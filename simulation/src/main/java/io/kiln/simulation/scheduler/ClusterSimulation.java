package io.kiln.simulation.scheduler;

import static io.kiln.simulation.scheduler.SimulatedDriver.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.Heartbeat;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.AllocationOptions;
import io.kiln.scheduler.allocation.ExecutorAllocator;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.ManagerTraits;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.simulation.Faults;
import io.kiln.simulation.Observed;
import io.kiln.simulation.Outcome;
import io.kiln.simulation.SimulatedWorld;
import io.kiln.simulation.scheduler.LauncherDouble.Troubles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// A driver with all three machines and a cluster in which executors don't come, come late, crash,
/// hang, and are cut off; then nothing goes wrong any more: every job must end, and as many
/// executors must be there as are wanted, and no other. All of it follows from the seed.
public final class ClusterSimulation {
  private static final Address ALLOCATION = new Address("driver", "allocation");
  private static final Address LAUNCHER = new Address("driver", "launcher");
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int TROUBLED_STEPS = 60;
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(20);
  private static final Duration LONGEST_STALL = Duration.ofSeconds(12);

  /// The longest back-off, a start that fails, and another.
  private static final Duration CALM_TIME = Duration.ofSeconds(100);

  private final SplittableRandom random;
  private final SimulatedWorld world;
  private final AllocationOptions options;
  private final AllocationChecks checks;
  private final SimulatedDriver driver;
  private final LauncherDouble launcher;
  private final List<Runnable> cuts = new ArrayList<>();
  private final double misfortune;

  /// Executors come and are decommissioned, and nothing else befalls them: then no output may be
  /// lost.
  private final boolean gentle;

  /// As `stage/partition`.
  private final Set<String> mapsComputed = new HashSet<>();

  /// Whether something has run since it was looked at last.
  private boolean hasRun;

  private int target;

  private ClusterSimulation(long seed, boolean traced) {
    this.random = new SplittableRandom(seed);
    this.gentle = random.nextInt(4) == 0;
    this.world = new SimulatedWorld(random.nextLong(), faults(), traced);
    this.options = options();
    this.checks = new AllocationChecks(options.silenceTimeout().multipliedBy(2));
    this.driver =
        new SimulatedDriver(
            random.split(), world, Optional.of(ALLOCATION), random.nextBoolean(), checks::watch);
    this.launcher =
        new LauncherDouble(
            world,
            random.split(),
            ALLOCATION,
            driver::newSlots,
            options.startTimeout(),
            troubles());
    this.misfortune = gentle ? 0 : random.nextDouble() * 0.2;
    world.add(
        ALLOCATION,
        AllocationMessage.class,
        new Observed<>(
            new ExecutorAllocator(driver.addresses(), LAUNCHER, options),
            (to, message) -> checks.allocatorSent(to, message, world.nowNanos())));
    world.add(LAUNCHER, LaunchRequest.class, launcher);
  }

  /// @throws AssertionError with the command that replays the run, if a machine broke its word
  public static Outcome run(long seed, boolean traced) {
    ClusterSimulation simulation = new ClusterSimulation(seed, traced);
    return Outcome.of("ClusterSimulationTest", seed, simulation.world, simulation::run);
  }

  private Outcome run() {
    changeTarget((gentle ? 2 : 1) + random.nextInt(4));
    driver.plan(1 + random.nextInt(12), STEP.multipliedBy(TROUBLED_STEPS));
    for (int step = 0; step < TROUBLED_STEPS; step++) {
      trouble();
      world.run(STEP, this::check);
    }
    world.healFaults();
    driver.cluster().heal();
    launcher.heal();
    cuts.forEach(Runnable::run);
    for (int i = 0; i < 3; i++) {
      driver.submitNow(); // whatever has happened, there is progress
    }
    calm();
    if (!checks.hasGivenUp()) {
      driver.demandRecovery(this::calm);
    }
    return new Outcome(
        driver.client().succeeded(), driver.client().failed(), world.events(), world.trace());
  }

  private void trouble() {
    if (random.nextDouble() < misfortune) {
      launcher.crashOne();
    }
    if (random.nextDouble() < misfortune / 3) {
      launcher.freezeOne(LONGEST_TROUBLE);
    }
    if (random.nextDouble() < misfortune / 3) {
      cuts.add(launcher.cutOffOne(LONGEST_TROUBLE));
    }
    if (!cuts.isEmpty() && random.nextInt(8) == 0) {
      cuts.removeFirst().run();
    }
    if (random.nextDouble() < misfortune / 3) {
      driver.cluster().files().loseSome(random);
    }
    driver.troubleBlocks();
    if (random.nextDouble() < misfortune / 3) {
      launcher.stallOne(LONGEST_STALL);
    }
    if (random.nextDouble() < misfortune / 3) {
      world.stall(ALLOCATION.process(), Duration.ofNanos(random.nextLong(LONGEST_STALL.toNanos())));
    }
    if (random.nextDouble() < (gentle ? 0.1 : misfortune)) {
      launcher.decommissionOne();
    }
    if (!gentle && random.nextInt(40) == 0) {
      changeTarget(1 + random.nextInt(4));
    }
  }

  private void changeTarget(int executors) {
    target = executors;
    world.inject(Duration.ZERO, ALLOCATION, new TargetChanged(ExecutorTarget.of(executors)));
  }

  private Troubles troubles() {
    double most = gentle || random.nextInt(3) == 0 ? 0 : 0.2;
    return new Troubles(
        random.nextDouble() * most,
        random.nextDouble() * most,
        random.nextDouble() * most,
        random.nextDouble() * most,
        random.nextDouble() * most);
  }

  private AllocationOptions options() {
    return new AllocationOptions(
        ManagerTraits.DEFAULT,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        OptionalInt.of(random.nextInt(4) == 0 ? 3 + random.nextInt(4) : 10_000),
        random.nextInt(4) == 0 ? Optional.of(Duration.ofSeconds(30)) : Optional.empty(),
        random.nextInt(3) == 0 ? Optional.of(Duration.ofSeconds(20)) : Optional.empty(),
        !gentle && random.nextInt(3) == 0 ? Optional.of(Duration.ofSeconds(5)) : Optional.empty());
  }

  private Faults faults() {
    return new Faults(
        random.nextDouble() * 0.3,
        message ->
            message instanceof KillTasks
                || message instanceof ForgetStage
                || message instanceof Heartbeat,
        Duration.ofMillis(1 + random.nextInt(random.nextBoolean() ? 50 : 500)));
  }

  // what must hold

  private void check(Address to, Message message) {
    if (gentle) {
      demandNothingLost(message);
    }
    driver.check(to, message);
    hasRun |= message instanceof LaunchTasks || message instanceof TasksUpdated;
    if (to.equals(ALLOCATION)) { // often enough: there are heartbeats
      boolean isIdle = driver.status().hasJobs() && !hasRun && !isAnythingRunning();
      checks.demandWarnings(isIdle, world.nowNanos());
      hasRun = false;
    }
  }

  private void demandNothingLost(Message message) {
    switch (message) {
      case TasksUpdated(TaskUpdates report) ->
          demand(
              report.updates().stream().noneMatch(CouldNotFetch.class::isInstance),
              "nothing was lost, but a task missed its input: " + message);
      case TasksSucceeded succeeded -> {
        for (SucceededTask task : succeeded.tasks()) {
          if (driver.hasOutput(succeeded.stageId(), task.partition())) {
            mapsComputed.add(succeeded.stageId() + "/" + task.partition());
          }
        }
      }
      case SubmitTaskSet submitted -> {
        for (int partition : submitted.partitions()) {
          demand(
              !mapsComputed.contains(submitted.stageId() + "/" + partition),
              "map task " + partition + " runs again, but its output was moved: " + message);
        }
      }
      default -> {}
    }
  }

  private boolean isAnythingRunning() {
    return launcher.alive().stream().anyMatch(process -> process.tasks() > 0);
  }

  private void calm() {
    world.run(CALM_TIME, this::check);
    driver.demandRest();
    Set<String> alive = new TreeSet<>();
    for (ProcessDouble process : launcher.alive()) {
      demand(process.tasks() == 0, process.address() + " still has tasks");
      alive.add(process.id());
    }
    int wanted = checks.hasGivenUp() ? 0 : target;
    demand(alive.size() == wanted, alive + " run, but " + wanted + " are wanted");
    demand(
        alive.equals(driver.status().executors()),
        alive + " run, but watchers believe in " + driver.status().executors());
  }
}
