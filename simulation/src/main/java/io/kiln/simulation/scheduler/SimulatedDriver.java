package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
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
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskScheduler;
import io.kiln.simulation.Observed;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/// A driver with its dag and task machines, and a client with many jobs, in a simulated world. What
/// there is to run them on is up to the simulation.
final class SimulatedDriver {
  static final Address DAG = new Address("driver", "dag");
  static final Address TASKS = new Address("driver", "tasks");
  private static final Address CLIENT = new Address("driver", "client");
  private static final Address WATCHER = new Address("driver", "status");
  private static final int MOST_RECOVERY_JOBS = 50;

  private final SplittableRandom random;
  private final SimulatedWorld world;
  private final SchedulerAddresses addresses;
  private final SchedulerOptions options;
  private final DagScheduler dag;
  private final SimulatedCluster cluster;
  private final JobClientDouble client = new JobClientDouble();
  private final StatusDouble status = new StatusDouble();
  private final RandomJobs jobs;

  /// @param allocation where the allocation machine is, if there is one
  /// @param watch puts something between the world and the task machine
  SimulatedDriver(
      SplittableRandom random,
      SimulatedWorld world,
      Optional<Address> allocation,
      Function<Machine<TaskMessage>, Machine<TaskMessage>> watch) {
    this.random = random;
    this.world = world;
    this.options = randomOptions(random);
    this.addresses = new SchedulerAddresses(DAG, TASKS, List.of(WATCHER), allocation);
    this.dag = new DagScheduler(addresses, options);
    this.cluster = new SimulatedCluster(dag, new Mishaps(random.nextDouble() * 0.1, 0.002, 0.3));
    this.jobs = new RandomJobs(random.split(), CLIENT, random.nextBoolean());
    world.add(DAG, DagMessage.class, new Observed<>(dag, this::demandInput));
    world.add(TASKS, TaskMessage.class, watch.apply(new TaskScheduler(addresses, options)));
    world.add(CLIENT, JobEvent.class, client);
    world.add(WATCHER, StatusEvent.class, status);
  }

  SchedulerAddresses addresses() {
    return addresses;
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  JobClientDouble client() {
    return client;
  }

  StatusDouble status() {
    return status;
  }

  /// Slots of an executor, which throw if they get more tasks than they may.
  SlotsDouble newSlots(String executorId) {
    int slots = 1 + random.nextInt(3);
    int most = slots * (1 + options.queue().maxTasksPerSlot());
    return new SlotsDouble(executorId, TASKS, slots, most, cluster);
  }

  private static SchedulerOptions randomOptions(SplittableRandom random) {
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

  // jobs

  /// Jobs, and here and there the cancellation of some, spread over a span of time.
  void plan(int numJobs, Duration span) {
    for (int i = 0; i < numJobs; i++) {
      submit(within(span), jobs.next());
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      world.inject(within(span), DAG, cancellation(numJobs));
    }
  }

  void submitNow() {
    submit(Duration.ZERO, jobs.next());
  }

  private void submit(Duration after, SubmitJob submitted) {
    client.expect(submitted);
    world.inject(after, DAG, submitted);
  }

  private Duration within(Duration span) {
    return Duration.ofNanos(random.nextLong(span.toNanos()));
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

  // what must hold

  /// Whether it believes a map task's output to be somewhere; stages are called as the shuffles
  /// that they write.
  boolean hasOutput(int stageId, int partition) {
    return stageId < jobs.numShuffles() && dag.outputLocation(stageId, partition).isPresent();
  }

  private void demandInput(Address to, Message sent) {
    if (!(sent instanceof SubmitTaskSet submitted)) {
      return;
    }
    for (StageWork.Input input : ((StageWork) submitted.binary()).parents()) {
      for (int map = 0; map < input.numMaps(); map++) {
        demand(
            dag.outputLocation(input.shuffleId(), map).isPresent(),
            "stage " + submitted.stageId() + " started without output " + map + " of " + input);
      }
    }
  }

  void demandRest() {
    demand(client.open().isEmpty(), "jobs have not ended: " + client.open());
    status.demandRest();
  }

  /// Each job that fails for a lost output has made the driver learn of one at least, so that in
  /// the end a job that reads everything succeeds.
  ///
  /// @param calm lets enough time pass for a job, and demands rest
  void demandRecovery(Runnable calm) {
    for (int i = 0; i < MOST_RECOVERY_JOBS; i++) {
      int before = client.succeeded();
      submit(Duration.ZERO, jobs.everything());
      calm.run();
      if (client.succeeded() > before) {
        return;
      }
    }
    demand(false, "jobs go on failing although nothing goes wrong any more");
  }

  static void demand(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
