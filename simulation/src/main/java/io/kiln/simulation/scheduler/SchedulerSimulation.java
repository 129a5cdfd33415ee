package io.kiln.simulation.scheduler;

import static io.kiln.simulation.scheduler.SimulatedDriver.TASKS;
import static io.kiln.simulation.scheduler.SimulatedDriver.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.simulation.Faults;
import io.kiln.simulation.Outcome;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// One driver, some executors that come by themselves, and many jobs, under everything that may go
/// wrong; then nothing goes wrong any more, and every job must end. All of it follows from the
/// seed.
public final class SchedulerSimulation {
  private static final Duration TROUBLED_TIME = Duration.ofSeconds(8);
  private static final Duration LONGEST_STALL = Duration.ofSeconds(2);
  private static final Duration CALM_TIME = Duration.ofSeconds(30);

  /// In which jobs wait and no executor has a task; several times what it takes an executor to come
  /// back, or a stall to end.
  private static final Duration LONGEST_IDLENESS = Duration.ofSeconds(15);

  private final SplittableRandom random;
  private final SimulatedWorld world;
  private final SimulatedDriver driver;
  private final List<ExecutorDouble> executors = new ArrayList<>();

  /// Whether outputs may be lost: else no task may ever miss its input.
  private final boolean lossy;

  private long busyNanos;

  private SchedulerSimulation(long seed, boolean traced) {
    this.random = new SplittableRandom(seed);
    this.lossy = random.nextInt(4) > 0;
    this.world = new SimulatedWorld(random.nextLong(), faults(), traced);
    this.driver =
        new SimulatedDriver(
            random.split(), world, Optional.empty(), random.nextBoolean(), tasks -> tasks);
    addExecutors();
  }

  /// @throws AssertionError with the command that replays the run, if the scheduler broke its word
  public static Outcome run(long seed, boolean traced) {
    SchedulerSimulation simulation = new SchedulerSimulation(seed, traced);
    return Outcome.of("SchedulerSimulationTest", seed, simulation.world, simulation::run);
  }

  private Outcome run() {
    driver.plan(1 + random.nextInt(12), TROUBLED_TIME);
    for (int i = lossy ? random.nextInt(6) : 0; i > 0; i--) {
      world.inject(
          Duration.ofNanos(random.nextLong(TROUBLED_TIME.toNanos())),
          executors.get(random.nextInt(executors.size())).address(),
          new ExecutorDouble.Crash());
    }
    for (int step = 0; step < 20; step++) {
      world.run(TROUBLED_TIME.dividedBy(20), this::check);
      if (lossy && random.nextInt(4) == 0) {
        driver.cluster().files().loseSome(random);
      }
      driver.troubleBlocks();
      stallSomething();
    }
    world.healFaults();
    driver.cluster().heal();
    for (int i = 0; i < 3; i++) {
      driver.submitNow(); // whatever has happened, there is progress
    }
    calm();
    driver.demandRecovery(this::calm);
    return new Outcome(
        driver.client().succeeded(), driver.client().failed(), world.events(), world.trace());
  }

  private void stallSomething() {
    Duration span = Duration.ofNanos(random.nextLong(LONGEST_STALL.toNanos()));
    String executor = executors.get(random.nextInt(executors.size())).address().process();
    switch (random.nextInt(12)) {
      case 0 -> world.stall(executor, span);
      case 1 -> world.stall(TASKS.process(), span);
      case 2 -> world.stallLink(TASKS.process(), executor, span);
      default -> {}
    }
  }

  private void addExecutors() {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      String id = Integer.toString(i);
      ExecutorDouble executor = new ExecutorDouble(id, TASKS, driver.newSlots(id));
      executors.add(executor);
      world.add(executor.address(), Message.class, executor);
      world.inject(Duration.ZERO, executor.address(), ExecutorDouble.start());
    }
  }

  private Faults faults() {
    return new Faults(
        random.nextDouble() * 0.3,
        message ->
            message instanceof KillTasks
                || message instanceof ForgetStage
                || message instanceof ExecutorRegistered,
        Duration.ofMillis(1 + random.nextInt(50)));
  }

  private void check(Address to, Message message) {
    if (!lossy && message instanceof TasksUpdated(TaskUpdates report)) {
      demand(
          report.updates().stream().noneMatch(CouldNotFetch.class::isInstance),
          "nothing was lost, but a task missed its input: " + message);
    }
    driver.check(to, message);
    boolean idle =
        !driver.client().open().isEmpty()
            && executors.stream().allMatch(executor -> executor.tasks() == 0);
    busyNanos = idle ? busyNanos : world.nowNanos();
    demand(
        world.nowNanos() - busyNanos < LONGEST_IDLENESS.toNanos(),
        "jobs wait, and nothing runs: " + driver.client().open());
  }

  private void calm() {
    world.run(CALM_TIME, this::check);
    driver.demandRest();
    for (ExecutorDouble executor : executors) {
      demand(executor.tasks() == 0, executor.address() + " still has tasks");
    }
  }
}
