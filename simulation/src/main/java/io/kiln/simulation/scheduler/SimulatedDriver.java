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
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.DagScheduler;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.dag.JobWait;
import io.kiln.scheduler.dag.JobWait.StageAttempt;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.DropStored;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskScheduler;
import io.kiln.simulation.Observed;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

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
  private final TaskScheduler tasks;
  private final JobClientDouble client;
  private final StatusDouble status = new StatusDouble();
  private final RandomLineage lineage;
  private final RandomJobs jobs;

  /// The newest of each stage.
  private final Map<Integer, Integer> attempts = new HashMap<>();

  /// By stage, the shuffles that tasks of its newest attempt have missed.
  private final Map<Integer, Set<Integer>> missed = new HashMap<>();

  /// @param allocation where the allocation machine is, if there is one
  /// @param chanceIsStored as [RandomLineage]
  /// @param watch puts something between the world and the task machine
  SimulatedDriver(
      SplittableRandom random,
      SimulatedWorld world,
      Optional<Address> allocation,
      boolean chanceIsStored,
      Function<Machine<TaskMessage>, Machine<TaskMessage>> watch) {
    this.random = random;
    this.world = world;
    this.options = randomOptions(random);
    this.addresses = new SchedulerAddresses(DAG, TASKS, List.of(WATCHER), allocation);
    this.dag = new DagScheduler(addresses, options);
    this.cluster =
        new SimulatedCluster(dag, new ExecutorMishaps(random.nextDouble() * 0.1, 0.002, 0.3));
    this.tasks = new TaskScheduler(addresses, options);
    SplittableRandom own = random.split();
    this.lineage = new RandomLineage(own, cluster.blocks(), random.nextBoolean(), chanceIsStored);
    this.jobs = new RandomJobs(own, CLIENT, lineage);
    this.client = new JobClientDouble(DAG, jobs);
    Machine<DagMessage> observed = new Observed<>(dag, this::dagSent);
    world.add(
        DAG,
        DagMessage.class,
        (message, turn) -> {
          dagHears(message);
          observed.handle(message, turn);
        });
    world.add(TASKS, TaskMessage.class, watch.apply(tasks));
    world.add(CLIENT, Message.class, client);
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

  private void submit(Duration after, RandomJobs.Begin job) {
    world.inject(after, CLIENT, job);
  }

  /// What befalls stored blocks without anybody's fault.
  void troubleBlocks() {
    switch (random.nextInt(4)) {
      case 0, 1 -> cluster.blocks().evictSome(random);
      case 2 -> lineage.changeWhatIsPersisted();
      default -> {}
    }
  }

  private Duration within(Duration span) {
    return Duration.ofNanos(random.nextLong(span.toNanos()));
  }

  private Message cancellation(int numJobs) {
    return switch (random.nextInt(5)) {
      case 0 -> new DagMessage.CancelJob(random.nextInt(numJobs), "a test");
      case 1 -> new DagMessage.CancelJobGroup("group-" + random.nextInt(4), "a test", false);
      case 2 -> new DagMessage.CancelJobsWithTag("tag-" + random.nextInt(4), "a test");
      case 3 -> new DagMessage.CancelStage(random.nextInt(lineage.numShuffles()), "a test");
      default -> new DagMessage.CancelAllJobs("a test");
    };
  }

  // what must hold

  /// Whether it believes a map task's output to be somewhere; stages are called as the shuffles
  /// that they write.
  boolean hasOutput(int stageId, int partition) {
    return stageId < lineage.numShuffles() && dag.outputLocation(stageId, partition).isPresent();
  }

  private void dagHears(DagMessage message) {
    if (message instanceof FetchFailed failed
        && attempts.get(failed.stageId()) == failed.stageAttempt()) {
      missed.computeIfAbsent(failed.stageId(), _ -> new TreeSet<>()).add(failed.shuffleId());
    }
  }

  private void dagSent(Address to, Message sent) {
    switch (sent) {
      case SubmitTaskSet submitted -> {
        demandInput(submitted);
        demandAnotherPlan(submitted);
      }
      case DropStored(List<Integer> rddIds) -> rddIds.forEach(cluster.blocks()::dropForGood);
      default -> {}
    }
  }

  private void demandInput(SubmitTaskSet submitted) {
    SimulatedStage work = (SimulatedStage) submitted.binary();
    for (int shuffleId : work.needed()) {
      for (int map = 0; map < lineage.numMaps(shuffleId); map++) {
        demand(
            dag.outputLocation(shuffleId, map).isPresent(),
            "stage " + work.stageId() + " started without output " + map + " of " + shuffleId);
      }
    }
  }

  /// Each job that has not ended waits for something that is under way, and nothing else is.
  private void demandNoSilence() {
    if (world.talksToItself(DAG.process())) {
      return; // it is not over yet
    }
    Set<Integer> known = new TreeSet<>();
    Set<StageAttempt> waitedFor = new HashSet<>();
    for (JobWait wait : dag.waits()) {
      known.add(wait.jobId());
      waitedFor.addAll(wait.running());
      demand(
          wait.isForPlan() || wait.isForOthers() || !wait.running().isEmpty(),
          "nobody knows what it is for: " + wait);
      demand(!wait.isForPlan() || client.isPlanning(wait.jobId()), "no plan comes: " + wait);
    }
    Set<StageAttempt> underWay = new HashSet<>(tasks.underWay());
    demand(underWay.equals(waitedFor), underWay + " are under way, but waited for " + waitedFor);
    demand(known.containsAll(client.open()), "of " + client.open() + " only known: " + known);
  }

  /// To be called after each event.
  void check(Address to, Message message) {
    if (!to.process().equals(DAG.process())) {
      return;
    }
    switch (message) {
      case TasksSucceeded succeeded when isComplete(succeeded.stageId()) ->
          missed.remove(succeeded.stageId());
      case JobEvent.JobSucceeded _, JobEvent.JobFailed _ ->
          missed.clear(); // stages that no job has any more are forgotten
      default -> {}
    }
    demandNoSilence();
  }

  private boolean isComplete(int stageId) {
    return stageId < lineage.numShuffles()
        && IntStream.range(0, lineage.numMaps(stageId))
            .allMatch(map -> dag.outputLocation(stageId, map).isPresent());
  }

  /// A stage is not tried again without what it has missed.
  private void demandAnotherPlan(SubmitTaskSet submitted) {
    SimulatedStage work = (SimulatedStage) submitted.binary();
    attempts.put(submitted.stageId(), submitted.stageAttempt());
    Set<Integer> lacking = missed.remove(submitted.stageId());
    if (lacking != null && work.persisted().isPresent()) {
      for (SimulatedStage.Input input : work.persisted().get().behind()) {
        demand(
            !lacking.contains(input.shuffleId()) || work.needed().contains(input.shuffleId()),
            "stage " + work.stageId() + " is tried again without " + input + ", which it missed");
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
