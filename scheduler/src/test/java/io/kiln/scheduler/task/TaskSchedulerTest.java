package io.kiln.scheduler.task;

import static io.kiln.scheduler.Fixtures.ADDRESSES;
import static io.kiln.scheduler.Fixtures.ALLOCATION;
import static io.kiln.scheduler.Fixtures.DAG;
import static io.kiln.scheduler.Fixtures.NOTHING;
import static io.kiln.scheduler.Fixtures.TASKS;
import static io.kiln.scheduler.Fixtures.WATCHER;
import static io.kiln.scheduler.Fixtures.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.protocol.ExecutorMessage.Decommission;
import io.kiln.protocol.ExecutorMessage.Drained;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.QueueTargets;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;
import io.kiln.scheduler.StatusEvent.StageProgress;
import io.kiln.scheduler.StatusEvent.TasksEnded;
import io.kiln.scheduler.StatusEvent.TasksStarted;
import io.kiln.scheduler.allocation.AllocationMessage.TasksStarving;
import io.kiln.scheduler.dag.DagMessage.ExecutorLost;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.LocateOutputs;
import io.kiln.scheduler.dag.DagMessage.MoveOutputs;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.ExecutorDecommissioned;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.ExecutorUnreachable;
import io.kiln.scheduler.task.TaskMessage.LocalityWaitOver;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import io.kiln.scheduler.task.TaskMessage.ProgressDue;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.scheduler.task.TaskMessage.WatchTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The machine alone: a message in, effects out.
class TaskSchedulerTest {
  private static final SchedulerOptions UNQUEUED =
      SchedulerOptions.DEFAULT.withQueue(QueueTargets.NONE);

  private final RecordedTurn turn = new RecordedTurn();
  private TaskScheduler tasks = new TaskScheduler(ADDRESSES, UNQUEUED);

  @Test
  void asManyTasksAsThereAreSlotsStartInOneMessage() {
    register("1", 3);
    submit(0, 10);

    assertThat(turn.sentTo(executor("1"))).hasSize(1);
    assertThat(launched("1")).containsExactly("0.0:0", "0.0:1", "0.0:2");
  }

  @Test
  void aSuccessIsToldOnceAndMakesRoom() {
    register("1", 1);
    submit(0, 2);
    turn.forgetSent();
    update("1", new Succeeded(0, NOTHING, 1_000));
    update("1", new Succeeded(0, NOTHING, 1_000));

    assertThat(turn.sentTo(DAG))
        .containsExactly(new TasksSucceeded(0, 0, List.of(new SucceededTask(0, "1", NOTHING))));
    assertThat(launched("1")).containsExactly("0.0:1");
  }

  @Test
  void successesOfOneReportAreToldTogether() {
    register("1", 3);
    submit(0, 3);
    update(
        "1",
        new Succeeded(0, NOTHING, 1),
        new Succeeded(1, NOTHING, 1),
        new Succeeded(2, NOTHING, 1));

    assertThat(turn.sentTo(DAG, TasksSucceeded.class)).hasSize(1);
    assertThat(turn.sentTo(executor("1"))).endsWith(new ForgetStage(1, 0, 0));
  }

  @Test
  void aFailedTaskIsTriedAgainAsTheNextAttemptUntilTheLimit() {
    tasks = new TaskScheduler(ADDRESSES, UNQUEUED.withMaxTaskFailures(2));
    register("1", 1);
    submit(0, 2);
    update("1", new Failed(0, failure(TaskFailure.Kind.EXCEPTION)));
    assertThat(batches("1").getLast().attempts()).containsExactly(1);

    update("1", new Failed(1, failure(TaskFailure.Kind.EXCEPTION)));
    assertThat(turn.sentTo(DAG))
        .containsExactly(new TaskSetAborted(0, 0, 0, 2, failure(TaskFailure.Kind.EXCEPTION)));
    assertThat(launched("1")).containsExactly("0.0:0", "0.0:0");
  }

  @Test
  void failuresThatAreNobodysFaultDoNotCount() {
    tasks = new TaskScheduler(ADDRESSES, UNQUEUED.withMaxTaskFailures(1));
    register("1", 1);
    submit(0, 1);
    for (int i = 0; i < 10; i++) {
      update("1", new Failed(i, failure(TaskFailure.Kind.KILLED)));
    }

    assertThat(turn.sentTo(DAG)).isEmpty();
    assertThat(launched("1")).hasSize(11);
  }

  @Test
  void aFatalFailureIsNotTriedAgainAndTheOthersAreKilled() {
    register("1", 2);
    submit(0, 5);
    update("1", new Failed(0, failure(TaskFailure.Kind.FATAL)));

    assertThat(turn.sentTo(DAG, TaskSetAborted.class)).hasSize(1);
    assertThat(killed("1")).containsExactly(1L);
    assertThat(launched("1")).hasSize(2);
  }

  @Test
  void aCancelledTaskSetKeepsItsSlotsUntilItsTasksAreGone() {
    register("1", 2);
    submit(0, 5);
    tasks.handle(new CancelTaskSet(0, 0, true, "not needed"), turn);
    submit(1, 1);
    assertThat(turn.sentTo(executor("1"), KillTasks.class).getFirst().interrupt()).isTrue();
    assertThat(killed("1")).containsExactly(0L, 1L);
    assertThat(launched("1")).containsExactly("0.0:0", "0.0:1");

    update("1", new Failed(0, failure(TaskFailure.Kind.KILLED)));
    assertThat(launched("1")).endsWith("1.0:0");
    update("1", new Succeeded(1, NOTHING, 1));
    assertThat(turn.sentTo(DAG)).isEmpty();
    assertThat(turn.sentTo(executor("1"))).contains(new ForgetStage(1, 0, 0));
  }

  @Test
  void afterAFetchFailureNoTaskStartsButTheRunningOnesCount() {
    register("1", 2);
    submit(0, 5);
    update("1", new CouldNotFetch(0, 7, 3, "2", "connection refused"));
    update("1", new Succeeded(1, NOTHING, 1));

    assertThat(turn.sentTo(DAG))
        .containsExactly(
            new FetchFailed(0, 0, 7, 3, "2", "connection refused"),
            new TasksSucceeded(0, 0, List.of(new SucceededTask(1, "1", NOTHING))));
    assertThat(launched("1")).hasSize(2);
  }

  @Test
  void theTasksOfALostExecutorRunElsewhereAndItsLateReportsAreStale() {
    register("1", 1);
    register("2", 1);
    submit(0, 2);
    tasks.handle(new ExecutorGone("1", 1, "ran out of memory", false), turn);
    update("1", new Succeeded(0, NOTHING, 1));
    update("2", new Succeeded(1, NOTHING, 1));

    assertThat(turn.sentTo(DAG))
        .containsExactly(
            new ExecutorLost("1", "ran out of memory"),
            new TasksSucceeded(0, 0, List.of(new SucceededTask(1, "2", NOTHING))));
    assertThat(launched("2")).containsExactly("0.0:1", "0.0:0");
  }

  @Test
  void theTasksOfAnExecutorThatEndedByItselfCountAFailureIfTheyRan() {
    tasks =
        new TaskScheduler(
            ADDRESSES,
            SchedulerOptions.DEFAULT.withMaxTaskFailures(2).withQueue(QueueTargets.DEFAULT));
    register("1", 1);
    submit(0, 3);
    update("1", new Succeeded(0, NOTHING, 1_000_000)); // now the third task waits on the executor
    assertThat(launched("1")).hasSize(3);
    tasks.handle(new ExecutorGone("1", 1, "ran out of memory", true), turn);
    register("2", 1);
    assertThat(launched("2")).containsExactly("0.0:2", "0.0:1");
    tasks.handle(new ExecutorGone("2", 1, "ran out of memory", true), turn);
    assertThat(turn.sentTo(DAG, TaskSetAborted.class)).as("one waited in vain").isEmpty();

    register("3", 1);
    assertThat(launched("3")).containsExactly("0.0:1", "0.0:2");
    tasks.handle(new ExecutorGone("3", 1, "ran out of memory", true), turn);

    TaskSetAborted aborted = turn.sentTo(DAG, TaskSetAborted.class).getFirst();
    assertThat(aborted.partition()).isEqualTo(1);
    assertThat(aborted.failures()).isEqualTo(2);
    assertThat(aborted.failure().message()).isEqualTo("executor 3 was lost: it ran out of memory");
  }

  @Test
  void theLossOfAnExecutorThatIsNobodysFaultDoesNotCount() {
    tasks = new TaskScheduler(ADDRESSES, UNQUEUED.withMaxTaskFailures(1));
    submit(0, 1);
    for (int id = 0; id < 10; id++) {
      register(Integer.toString(id), 1);
      tasks.handle(new ExecutorGone(Integer.toString(id), 1, "was killed", false), turn);
    }

    assertThat(turn.sentTo(DAG, TaskSetAborted.class)).isEmpty();
  }

  @Test
  void anUnreachableExecutorGetsNoTasksAndItsOutputsAreLostAtOnce() {
    register("1", 1);
    submit(0, 2);
    tasks.handle(new ExecutorUnreachable("1", 1, "connection reset"), turn);
    update("1", new Succeeded(0, NOTHING, 1));
    assertThat(turn.sentTo(DAG)).containsExactly(new ExecutorLost("1", "connection reset"));
    assertThat(launched("1")).containsExactly("0.0:0");

    register("2", 2);
    assertThat(launched("2")).as("the word on the other is still out").containsExactly("0.0:1");
    tasks.handle(new ExecutorGone("1", 1, "was killed", false), turn);
    assertThat(launched("2")).containsExactly("0.0:1", "0.0:0");
    register("1", 1);
    submit(1, 5);
    assertThat(launched("1")).as("not taken back").containsExactly("0.0:0");
  }

  @Test
  void anUnreachableExecutorsTasksAreNotKilledTwice() {
    register("1", 1);
    submit(0, 1);
    tasks.handle(new ExecutorUnreachable("1", 1, "connection reset"), turn);
    tasks.handle(new CancelTaskSet(0, 0, true, "not needed"), turn);

    assertThat(killed("1")).isEmpty();
  }

  @Test
  void starvingTasksAreToldWhileNoneRuns() {
    tasks =
        new TaskScheduler(
            new SchedulerAddresses(DAG, TASKS, List.of(), Optional.of(ALLOCATION)), UNQUEUED);
    submit(0, 3);
    submit(1, 2);
    assertThat(turn.sentTo(ALLOCATION)).containsExactly(new TasksStarving(3), new TasksStarving(5));

    register("1", 1);
    update("1", new Succeeded(0, NOTHING, 1));
    assertThat(turn.sentTo(ALLOCATION)).as("one runs").endsWith(new TasksStarving(0)).hasSize(3);
    tasks.handle(new ExecutorGone("1", 1, "was killed", false), turn);
    assertThat(turn.sentTo(ALLOCATION)).endsWith(new TasksStarving(4)).hasSize(4);
    tasks.handle(new CancelTaskSet(0, 0, true, "not needed"), turn);
    tasks.handle(new CancelTaskSet(1, 0, true, "not needed"), turn);
    assertThat(turn.sentTo(ALLOCATION)).endsWith(new TasksStarving(2), new TasksStarving(0));
  }

  @Test
  void aNewerIncarnationReplacesTheOlderAndAnOlderOneIsNotTakenBack() {
    register("1", 1);
    submit(0, 1);
    tasks.handle(new ExecutorRegistered("1", 2, executor("1"), "host", 1), turn);
    tasks.handle(new ExecutorRegistered("1", 1, executor("1"), "host", 1), turn);

    assertThat(turn.sentTo(DAG, ExecutorLost.class)).hasSize(1);
    assertThat(turn.sentTo(executor("1"), LaunchTasks.class))
        .extracting(LaunchTasks::incarnation)
        .containsExactly(1L, 2L);
  }

  @Test
  void anExecutorThatIsGoneBeforeItRegisteredIsNotTaken() {
    tasks.handle(new ExecutorGone("1", 1, "crashed", false), turn);
    register("1", 1);
    submit(0, 1);

    assertThat(turn.sentTo(executor("1"))).isEmpty();
  }

  @Test
  void tasksSpreadOverExecutors() {
    register("1", 4);
    register("2", 4);
    submit(0, 4);

    assertThat(launched("1")).hasSize(2);
    assertThat(launched("2")).hasSize(2);
  }

  @Test
  void theQueueGrowsWithShortTasksAndStaysEmptyWithLongOnes() {
    tasks = new TaskScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
    register("1", 2);
    submit(0, 10_000);
    assertThat(launched("1")).as("nothing is known yet").hasSize(2);

    update("1", new Succeeded(0, NOTHING, 100_000));
    assertThat(launched("1")).as("4 ms of work a slot").hasSize(1 + 2 + 2 * 40);

    for (int taskId = 1; taskId < 60; taskId++) {
      update("1", new Succeeded(taskId, NOTHING, 50_000_000));
    }
    turn.forgetSent();
    update("1", new Succeeded(60, NOTHING, 50_000_000));
    assertThat(launched("1")).isEmpty();
  }

  @Test
  void theQueueIsBoundedHoweverShortTheTasksAre() {
    tasks = new TaskScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
    register("1", 1);
    submit(0, 10_000);
    update("1", new Succeeded(0, NOTHING, 1));

    assertThat(launched("1")).hasSize(1 + 1 + 256);
  }

  @Test
  void theOlderJobGoesFirstThenTheLowerStage() {
    submit(new SubmitTaskSet(9, 0, range(1), 2, NOTHING, Locality.ANYWHERE, options("a")));
    submit(new SubmitTaskSet(5, 0, range(1), 1, NOTHING, Locality.ANYWHERE, options("b")));
    submit(new SubmitTaskSet(4, 0, range(1), 1, NOTHING, Locality.ANYWHERE, options("c")));
    register("1", 3);

    assertThat(launched("1")).containsExactly("4.0:0", "5.0:0", "9.0:0");
  }

  @Test
  void fairPoolsGetTheirMinimumThenTheirWeight() {
    fair(
        new PoolSpec("heavy", SchedulingMode.FIFO, 3, 0),
        new PoolSpec("floor", SchedulingMode.FIFO, 1, 2));
    submit(pooled(0, "heavy"));
    submit(pooled(1, "floor"));
    submit(pooled(2, "unconfigured"));
    register("1", 8);

    assertThat(launchedOf("1", 0)).isEqualTo(4);
    assertThat(launchedOf("1", 1)).isEqualTo(2);
    assertThat(launchedOf("1", 2)).isEqualTo(2);
    assertThat(launched("1").subList(0, 2)).allMatch(task -> task.startsWith("1."));
  }

  @Test
  void aFairPoolSharesAmongItsTaskSetsAndAFifoPoolDoesNot() {
    fair(
        new PoolSpec("fair", SchedulingMode.FAIR, 1, 0),
        new PoolSpec("fifo", SchedulingMode.FIFO, 1, 0));
    submit(pooled(0, "fair"));
    submit(pooled(1, "fair"));
    submit(pooled(2, "fifo"));
    submit(pooled(3, "fifo"));
    register("1", 8);

    assertThat(IntStream.range(0, 4).mapToObj(stage -> launchedOf("1", stage)))
        .containsExactly(2, 2, 4, 0);
  }

  @Test
  void aTaskWaitsForItsExecutorThenItsHostThenTakesAny() {
    Locality prefersOne = _ -> List.of("executor:1", "host-1");
    register("1", 1);
    register("2", 1);
    register("3", 1);
    submit(new SubmitTaskSet(0, 0, range(4), 0, NOTHING, prefersOne, options("p")));
    assertThat(launched("1")).hasSize(1);
    assertThat(launched("2")).isEmpty();
    Duration wait = turn.timers.get(LocalityWaitOver.class).delay();
    assertThat(wait).isEqualTo(SchedulerOptions.DEFAULT.localityWait());

    turn.now = turn.now.plus(wait);
    tasks.handle(new LocalityWaitOver(), turn);
    assertThat(launched("2")).as("its host is not the preferred one").isEmpty();

    turn.now = turn.now.plus(wait);
    tasks.handle(new LocalityWaitOver(), turn);
    assertThat(launched("2")).hasSize(1);
    assertThat(launched("3")).hasSize(1);
  }

  @Test
  void nobodyWaitsForAPlaceThatIsNotThere() {
    register("2", 1);
    Locality gone = _ -> List.of("executor:1", "host-1");
    submit(new SubmitTaskSet(0, 0, range(1), 0, NOTHING, gone, options("p")));

    assertThat(launched("2")).hasSize(1);
  }

  @Test
  void progressIsToldAtIntervalsAndBeforeTheEnd() {
    register("1", 1);
    submit(0, 2);
    assertThat(turn.timers.get(ProgressDue.class).delay()).isEqualTo(Duration.ofMillis(100));
    tasks.handle(new ProgressDue(), turn);
    update("1", new Succeeded(0, NOTHING, 1));
    update("1", new Succeeded(1, NOTHING, 1));

    assertThat(turn.sentTo(WATCHER))
        .containsExactly(new StageProgress(0, 0, 1, 0, 0), new StageProgress(0, 0, 0, 2, 0));
    turn.timers.clear();
    tasks.handle(new ProgressDue(), turn);
    assertThat(turn.timers).as("nothing runs any more").isEmpty();
  }

  @Test
  void singleTasksAreToldWhileSomeoneWatchesThem() {
    register("1", 1);
    submit(0, 3);
    update("1", new Succeeded(0, NOTHING, 1));
    assertThat(turn.sentTo(WATCHER)).isEmpty();

    tasks.handle(new WatchTasks(true), turn);
    update("1", new Failed(1, failure(TaskFailure.Kind.EXCEPTION)));
    assertThat(turn.sentTo(WATCHER, TasksStarted.class).getFirst().tasks())
        .singleElement()
        .satisfies(task -> assertThat(task.taskId()).isEqualTo(2));
    assertThat(turn.sentTo(WATCHER, TasksEnded.class).getFirst().tasks().getFirst().error())
        .contains("it broke");
  }

  private void fair(PoolSpec... pools) {
    tasks = new TaskScheduler(ADDRESSES, UNQUEUED.withMode(SchedulingMode.FAIR, List.of(pools)));
  }

  // work queued ahead

  @Test
  void whatWaitsBehindLongTasksIsTakenBackForASlotThatIsIdle() {
    tasks =
        new TaskScheduler(
            ADDRESSES, SchedulerOptions.DEFAULT.withQueue(QueueTargets.BETWEEN_PROCESSES));
    register("1", 1);
    submit(0, 100);
    update("1", new Succeeded(0, NOTHING, 50_000)); // so short that all the others are queued
    assertThat(launched("1")).hasSize(100);

    register("2", 1);
    assertThat(launched("2")).isEmpty();
    turn.pass(Duration.ofMillis(20), message -> tasks.handle((TaskMessage) message, turn));
    assertThat(turn.sentTo(executor("1"), ReturnTasks.class))
        .containsExactly(new ReturnTasks(1, 98));

    update("1", new Returned(99), new Returned(98));
    assertThat(launched("2")).as("no queue on what was wrong").containsExactly("0.0:98");
    update("1", new Returned(98));
    assertThat(launched("2")).as("given back once").hasSize(1);
    update("2", new Succeeded(100, NOTHING, 5_000_000_000L));
    assertThat(launched("2")).containsExactly("0.0:98", "0.0:99");
  }

  @Test
  void nothingIsTakenBackFromAQueueThatIsInTime() {
    tasks =
        new TaskScheduler(
            ADDRESSES, SchedulerOptions.DEFAULT.withQueue(QueueTargets.BETWEEN_PROCESSES));
    register("1", 1);
    submit(0, 100);
    update("1", new Succeeded(0, NOTHING, 50_000));
    register("2", 1);
    turn.pass(Duration.ofMillis(6), message -> tasks.handle((TaskMessage) message, turn));
    for (int task = 1; task < 100; task++) {
      update("1", new Succeeded(task, NOTHING, 50_000));
    }
    turn.pass(Duration.ofMillis(60), message -> tasks.handle((TaskMessage) message, turn));

    assertThat(turn.sentTo(executor("1"), ReturnTasks.class)).isEmpty();
    assertThat(turn.timers).doesNotContainKey(TaskMessage.QueuesDue.class);
  }

  @Test
  void aTaskOfACancelledStageThatIsGivenBackIsDropped() {
    tasks =
        new TaskScheduler(
            ADDRESSES, SchedulerOptions.DEFAULT.withQueue(QueueTargets.BETWEEN_PROCESSES));
    register("1", 1);
    submit(0, 3);
    update("1", new Succeeded(0, NOTHING, 50_000));
    register("2", 1);
    turn.pass(Duration.ofMillis(20), message -> tasks.handle((TaskMessage) message, turn));
    tasks.handle(new CancelTaskSet(0, 0, false, "not needed"), turn);
    update("1", new Returned(2), new Failed(1, failure(TaskFailure.Kind.KILLED)));

    assertThat(launched("2")).isEmpty();
    assertThat(turn.sentTo(executor("1"), ForgetStage.class)).hasSize(1);
  }

  private void register(String executorId, int slots) {
    tasks.handle(
        new ExecutorRegistered(executorId, 1, executor(executorId), "host-" + executorId, slots),
        turn);
  }

  private void submit(int stageId, int numTasks) {
    submit(
        new SubmitTaskSet(
            stageId, 0, range(numTasks), stageId, NOTHING, Locality.ANYWHERE, options("default")));
  }

  private void submit(SubmitTaskSet taskSet) {
    tasks.handle(taskSet, turn);
  }

  private void update(String executorId, TaskUpdate... updates) {
    tasks.handle(new TasksUpdated(new TaskUpdates(executorId, 1, Arrays.asList(updates))), turn);
  }

  private static SubmitTaskSet pooled(int stageId, String pool) {
    return new SubmitTaskSet(
        stageId, 0, range(100), stageId, NOTHING, Locality.ANYWHERE, options(pool));
  }

  private static int[] range(int end) {
    return IntStream.range(0, end).toArray();
  }

  private static JobOptions options(String pool) {
    return new JobOptions(Map.of(JobOptions.POOL, pool));
  }

  private static Address executor(String id) {
    return new Address("executor-" + id, "executor");
  }

  private List<TaskBatch> batches(String executorId) {
    return turn.sentTo(executor(executorId), LaunchTasks.class).stream()
        .flatMap(launch -> launch.batches().stream())
        .toList();
  }

  /// As `stage.attempt:partition`, in order.
  private List<String> launched(String executorId) {
    List<String> launched = new ArrayList<>();
    for (TaskBatch batch : batches(executorId)) {
      for (int partition : batch.partitions()) {
        launched.add(batch.stageId() + "." + batch.stageAttempt() + ":" + partition);
      }
    }
    return launched;
  }

  private int launchedOf(String executorId, int stageId) {
    return (int)
        launched(executorId).stream().filter(task -> task.startsWith(stageId + ".")).count();
  }

  private List<Long> killed(String executorId) {
    return turn.sentTo(executor(executorId), KillTasks.class).stream()
        .flatMap(kill -> Arrays.stream(kill.taskIds()).boxed())
        .sorted()
        .toList();
  }

  // decommissioning

  @Test
  void oneThatIsToGoGetsNothingMoreAndHearsWhenAllItsTasksAreKnown() {
    register("1", 2);
    register("2", 1);
    submit(0, 6);
    turn.forgetSent();
    tasks.handle(new ExecutorDecommissioned("1", 1), turn);
    tasks.handle(new ExecutorDecommissioned("1", 1), turn);
    assertThat(turn.sentTo(executor("1"))).containsExactly(new Decommission(1));

    update("1", new Succeeded(0, NOTHING, 1));
    assertThat(turn.sentTo(executor("1"))).hasSize(1);
    update("1", new Succeeded(2, NOTHING, 1));
    assertThat(turn.sentTo(executor("1"))).containsExactly(new Decommission(1), new Drained(1));
    assertThat(turn.sentTo(DAG, TasksSucceeded.class)).hasSize(2);
    assertThat(turn.sent.getLast().message())
        .as("comes after what the dag machine is told")
        .isEqualTo(new Drained(1));
    assertThat(launched("1")).isEmpty();
  }

  @Test
  void oneWithoutTasksHearsSoAtOnce() {
    register("1", 2);
    tasks.handle(new ExecutorDecommissioned("1", 1), turn);

    assertThat(turn.sentTo(executor("1"))).containsExactly(new Decommission(1), new Drained(1));
  }

  @Test
  void nobodyWaitsForAPlaceThatIsToGo() {
    register("1", 1);
    register("2", 1);
    tasks.handle(new ExecutorDecommissioned("1", 1), turn);
    submit(
        new SubmitTaskSet(
            0, 0, range(1), 0, NOTHING, _ -> List.of("executor:1"), options("default")));

    assertThat(launched("2")).hasSize(1);
  }

  @Test
  void outputsAreMovedOnlyToThoseThatStay() {
    register("1", 1);
    register("2", 1);
    register("3", 1);
    tasks.handle(new ExecutorDecommissioned("1", 1), turn);
    tasks.handle(new ExecutorDecommissioned("3", 1), turn);
    OutputsMoved toTwo = new OutputsMoved(7, range(2), "1", "2", 1, executor("1"));
    tasks.handle(toTwo, turn);
    tasks.handle(new OutputsMoved(7, range(2), "1", "3", 2, executor("1")), turn);
    tasks.handle(new OutputsMoved(7, range(2), "1", "4", 3, executor("1")), turn);

    assertThat(turn.sentTo(DAG))
        .containsExactly(
            new MoveOutputs(toTwo),
            new LocateOutputs(7, 2, executor("1")),
            new LocateOutputs(7, 3, executor("1")));
  }
}
