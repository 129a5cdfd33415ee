package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.QueueTargets;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.DagScheduler;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.task.ExecutorMessage.ForgetStage;
import io.kiln.scheduler.task.ExecutorMessage.KillTasks;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.CouldNotFetch;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskMessage.TaskUpdates;
import io.kiln.scheduler.task.TaskScheduler;
import io.kiln.simulation.Faults;
import io.kiln.simulation.Observed;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// One driver with both machines, some executors, and many jobs, under everything that may go
/// wrong;
/// then nothing goes wrong any more, and every job must end. All of it follows from the seed.
public final class SchedulerSimulation {
  private static final Address DAG = new Address("driver", "dag");
  private static final Address TASKS = new Address("driver", "tasks");
  private static final Address CLIENT = new Address("driver", "client");
  private static final Address WATCHER = new Address("driver", "status");
  private static final Duration TROUBLED_TIME = Duration.ofSeconds(8);
  private static final Duration CALM_TIME = Duration.ofSeconds(30);

  private static final int MOST_RECOVERY_JOBS = 50;

  /// What became of a run.
  ///
  /// @param trace empty unless asked for
  public record Outcome(int succeeded, int failed, long events, List<String> trace) {}

  private final long seed;
  private final SplittableRandom random;
  private final SimulatedWorld world;
  private final SchedulerOptions options;
  private final DagScheduler dag;
  private final SimulatedCluster cluster;
  private final JobClientDouble client = new JobClientDouble();
  private final StatusDouble status = new StatusDouble();
  private final List<ExecutorDouble> executors = new ArrayList<>();
  private final RandomJobs jobs;

  /// Whether outputs may be lost: else no task may ever miss its input.
  private final boolean lossy;

  private SchedulerSimulation(long seed, boolean traced) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.lossy = random.nextInt(4) > 0;
    this.world = new SimulatedWorld(random.nextLong(), faults(), traced);
    this.options = options();
    SchedulerAddresses addresses = new SchedulerAddresses(DAG, TASKS, List.of(WATCHER));
    this.dag = new DagScheduler(addresses, options);
    this.cluster = new SimulatedCluster(dag, new Mishaps(random.nextDouble() * 0.1, 0.002, 0.3));
    this.jobs = new RandomJobs(random.split(), CLIENT, random.nextBoolean());
    world.add(DAG, DagMessage.class, new Observed<>(dag, this::demandInput));
    world.add(TASKS, TaskMessage.class, new TaskScheduler(addresses, options));
    world.add(CLIENT, JobEvent.class, client);
    world.add(WATCHER, StatusEvent.class, status);
    addExecutors();
  }

  /// @throws AssertionError with the command that replays the run, if the scheduler broke its word
  public static Outcome run(long seed, boolean traced) {
    try {
      return new SchedulerSimulation(seed, traced).run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed "
              + seed
              + " failed ("
              + e.getMessage()
              + "); replay it with: mvn -B -pl simulation -am test"
              + " -Dtest=SchedulerSimulationTest#replay -Dkiln.seed="
              + seed
              + " -Dsurefire.failIfNoSpecifiedTests=false",
          e);
    }
  }

  private Outcome run() {
    int numJobs = 1 + random.nextInt(12);
    for (int i = 0; i < numJobs; i++) {
      submit(someTime());
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      world.inject(someTime(), DAG, cancellation(numJobs));
    }
    for (int i = lossy ? random.nextInt(6) : 0; i > 0; i--) {
      world.inject(
          someTime(),
          executors.get(random.nextInt(executors.size())).address(),
          new ExecutorDouble.Crash());
    }
    for (int step = 0; step < 20; step++) {
      world.run(TROUBLED_TIME.dividedBy(20), this::check);
      if (lossy && random.nextInt(4) == 0) {
        cluster.files().loseSome(random);
      }
    }
    world.healFaults();
    cluster.heal();
    for (int i = 0; i < 3; i++) {
      submit(Duration.ZERO); // whatever has happened, there is progress
    }
    world.run(CALM_TIME, this::check);
    demandRest();
    demandRecovery();
    return new Outcome(client.succeeded(), client.failed(), world.events(), world.trace());
  }

  private void submit(Duration after) {
    submit(after, jobs.next());
  }

  private void submit(Duration after, SubmitJob submitted) {
    client.expect(submitted);
    world.inject(after, DAG, submitted);
  }

  private Message cancellation(int numJobs) {
    return switch (random.nextInt(5)) {
      case 0 -> new DagMessage.CancelJob(random.nextInt(numJobs), "a test");
      case 1 -> new DagMessage.CancelJobGroup("group-" + random.nextInt(4), "a test", false);
      case 2 -> new DagMessage.CancelJobsWithTag("tag-" + random.nextInt(4), "a test");
      case 3 -> new DagMessage.CancelStage(random.nextInt(jobs.numShuffles()), "a test");
      default -> new DagMessage.CancelAllJobs("a test");
    };
  }

  private Duration someTime() {
    return Duration.ofNanos(random.nextLong(TROUBLED_TIME.toNanos()));
  }

  private void addExecutors() {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int slots = 1 + random.nextInt(3);
      int most = slots * (1 + options.queue().maxTasksPerSlot());
      String id = Integer.toString(i);
      ExecutorDouble executor =
          new ExecutorDouble(id, TASKS, new SlotsDouble(id, TASKS, slots, most, cluster));
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

  private SchedulerOptions options() {
    List<PoolSpec> pools =
        List.of(
            new PoolSpec("pool-0", SchedulingMode.FAIR, 2, 1),
            new PoolSpec("pool-1", SchedulingMode.FIFO, 1, 0));
    return new SchedulerOptions(
        1 + random.nextInt(4),
        1 + random.nextInt(4),
        random.nextBoolean() ? SchedulingMode.FIFO : SchedulingMode.FAIR,
        pools,
        Duration.ofMillis(random.nextInt(200)),
        random.nextBoolean() ? QueueTargets.DEFAULT : QueueTargets.NONE,
        random.nextBoolean());
  }

  // what must hold

  private void check(Address to, Message message) {
    if (!lossy && message instanceof TaskUpdates updates) {
      demand(
          updates.updates().stream().noneMatch(CouldNotFetch.class::isInstance),
          "nothing was lost, but a task missed its input: " + message);
    }
  }

  private void demandInput(Address to, Message sent) {
    if (!(sent instanceof SubmitTaskSet submitted)) {
      return;
    }
    for (StageWork.Input input : ((StageWork) submitted.binary()).parents()) {
      for (int map = 0; map < input.numMaps(); map++) {
        Optional<String> location = dag.outputLocation(input.shuffleId(), map);
        demand(
            location.isPresent(),
            "stage " + submitted.stageId() + " started without output " + map + " of " + input);
      }
    }
  }

  private void demandRest() {
    demand(client.open().isEmpty(), "jobs have not ended: " + client.open());
    for (ExecutorDouble executor : executors) {
      demand(executor.tasks() == 0, executor.address() + " still has tasks");
    }
    status.demandRest();
  }

  /// Each job that fails for a lost output has made the driver learn of one at least, so that in
  /// the end a job that reads everything succeeds.
  private void demandRecovery() {
    for (int i = 0; i < MOST_RECOVERY_JOBS; i++) {
      int before = client.succeeded();
      submit(Duration.ZERO, jobs.everything());
      world.run(CALM_TIME, this::check);
      demandRest();
      if (client.succeeded() > before) {
        return;
      }
    }
    demand(false, "jobs go on failing although nothing goes wrong any more");
  }

  private void demand(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise + " (seed " + seed + ")");
    }
  }
}
