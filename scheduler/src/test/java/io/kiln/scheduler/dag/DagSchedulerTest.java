package io.kiln.scheduler.dag;

import static io.kiln.scheduler.Fixtures.ADDRESSES;
import static io.kiln.scheduler.Fixtures.CLIENT;
import static io.kiln.scheduler.Fixtures.NOTHING;
import static io.kiln.scheduler.Fixtures.TASKS;
import static io.kiln.scheduler.Fixtures.WATCHER;
import static io.kiln.scheduler.Fixtures.failure;
import static io.kiln.scheduler.Fixtures.job;
import static io.kiln.scheduler.Fixtures.mapStage;
import static io.kiln.scheduler.Fixtures.resultStage;
import static io.kiln.scheduler.Fixtures.sparing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kiln.base.machine.Message;
import io.kiln.base.machine.RecordedTurn;
import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.dag.DagMessage.CancelJob;
import io.kiln.scheduler.dag.DagMessage.CancelJobGroup;
import io.kiln.scheduler.dag.DagMessage.CancelJobsWithTag;
import io.kiln.scheduler.dag.DagMessage.CancelStage;
import io.kiln.scheduler.dag.DagMessage.ChangePlan;
import io.kiln.scheduler.dag.DagMessage.ExecutorLost;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.ForgetShuffle;
import io.kiln.scheduler.dag.DagMessage.MoveOutputs;
import io.kiln.scheduler.dag.DagMessage.OutputsLocated;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.MapTasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.PlanOutdated;
import io.kiln.scheduler.dag.JobEvent.Reason;
import io.kiln.scheduler.dag.StageGraph.Stage;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The machine alone: a message in, effects out.
class DagSchedulerTest {
  private static final Stage MAP = mapStage(0, 0, 3);
  private static final Stage RESULT = resultStage(1, 2, 0);

  private final DagScheduler dag = new DagScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
  private final RecordedTurn turn = new RecordedTurn();

  @Test
  void aStageWaitsForAllOutputsOfItsParents() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1);
    assertThat(submitted()).containsExactly("0.0[0, 1, 2]");

    succeed(0, 0, "1", 2);
    assertThat(submitted()).containsExactly("0.0[0, 1, 2]", "1.0[0, 1]");
  }

  @Test
  void thoseWhoWatchHearOfAnEndBeforeTheClientDoes() {
    finish(job(0, MAP, RESULT));

    List<Message> ends =
        turn.sent.stream()
            .map(RecordedTurn.Sent::message)
            .filter(m -> m instanceof StatusEvent.JobEnded || m instanceof JobSucceeded)
            .toList();
    assertThat(ends).hasSize(2).first().isInstanceOf(StatusEvent.JobEnded.class);
  }

  @Test
  void parentsThatDoNotNeedEachOtherRunTogether() {
    submit(job(0, mapStage(0, 0, 1), mapStage(1, 1, 1), resultStage(2, 1, 0, 1)));

    assertThat(submitted()).containsExactly("0.0[0]", "1.0[0]");
  }

  @Test
  void aShuffleThatIsThereIsNotRunAgainUntilItIsForgotten() {
    finish(job(0, MAP, RESULT));
    turn.forgetSent();
    submit(job(1, MAP, resultStage(2, 1, 0)));
    assertThat(submitted()).containsExactly("2.0[0]");

    succeed(2, 0, "1", 0);
    turn.forgetSent();
    dag.handle(new ForgetShuffle(0), turn);
    submit(job(2, MAP, resultStage(3, 1, 0)));
    assertThat(submitted()).containsExactly("0.0[0, 1, 2]");
  }

  @Test
  void twoJobsShareARunningStageAndItsResultsAreToldToOne() {
    submit(job(0, MAP, RESULT));
    submit(job(1, MAP, resultStage(2, 1, 0)));
    succeed(0, 0, "1", 0, 1, 2);

    assertThat(submitted()).containsExactly("0.0[0, 1, 2]", "1.0[0, 1]", "2.0[0]");
    assertThat(turn.sentTo(CLIENT, MapTasksSucceeded.class))
        .extracting(MapTasksSucceeded::jobId)
        .containsExactly(0);
  }

  @Test
  void onlyTheAskedPartitionsAreComputedAndAnswersCountInThem() {
    submit(
        new SubmitJob(
            0,
            new StageGraph(List.of(resultStage(0, 10))),
            new int[] {7, 3},
            new JobOptions(Map.of()),
            CLIENT));
    succeed(0, 0, "1", 3);
    succeed(0, 0, "1", 7);

    assertThat(submitted()).containsExactly("0.0[7, 3]");
    assertThat(turn.sentTo(CLIENT))
        .containsExactly(
            new PartitionsComputed(0, List.of(new PartitionResult(1, NOTHING))),
            new PartitionsComputed(0, List.of(new PartitionResult(0, NOTHING))),
            new JobSucceeded(0));
  }

  @Test
  void aJobOfNoPartitionsSucceedsAtOnce() {
    submit(job(0, MAP, resultStage(1, 0, 0)));

    assertThat(turn.sentTo(CLIENT)).containsExactly(new JobSucceeded(0));
    assertThat(submitted()).isEmpty();
  }

  @Test
  void aStageWithoutPartitionsIsThereFromTheStart() {
    submit(job(0, mapStage(0, 0, 0), resultStage(1, 1, 0)));

    assertThat(submitted()).containsExactly("1.0[0]");
  }

  @Test
  void aFetchFailureMakesOnlyTheMissingOutputAgainAndThenTheStage() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    succeed(1, 0, "1", 0);
    dag.handle(new FetchFailed(1, 0, 0, 2, "1", "checksum"), turn);
    assertThat(submitted()).endsWith("0.1[2]");

    succeed(0, 1, "2", 2);
    assertThat(submitted()).endsWith("1.1[1]");
    succeed(1, 1, "2", 1);
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(0));
    assertThat(turn.sentTo(CLIENT, MapTasksSucceeded.class))
        .flatExtracting(MapTasksSucceeded::results)
        .as("the repeated map task does not count again")
        .hasSize(3);
  }

  @Test
  void aResultOfTheOlderAttemptIsWelcomeAndTheSecondOneIsNot() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new FetchFailed(1, 0, 0, 2, "1", "checksum"), turn);
    succeed(0, 1, "1", 2);
    succeed(1, 0, "1", 1);
    succeed(1, 1, "1", 1);
    assertThat(turn.sentTo(CLIENT, PartitionsComputed.class)).hasSize(1);

    succeed(1, 1, "1", 0);
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(0));
  }

  @Test
  void whatOlderAttemptsStillRunIsKilledOnceTheStageIsComplete() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new FetchFailed(1, 0, 0, 2, "1", "checksum"), turn);
    succeed(0, 1, "1", 2);
    succeed(1, 0, "1", 0, 1);

    assertThat(turn.sentTo(TASKS, CancelTaskSet.class))
        .extracting(CancelTaskSet::stageId, CancelTaskSet::stageAttempt)
        .containsExactly(tuple(1, 1));
  }

  @Test
  void aJobCancelledWhileAStageWaitsForLostInputKillsWhatThatStageStillRuns() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new FetchFailed(1, 0, 0, 2, "1", "checksum"), turn);
    dag.handle(new CancelJob(0, "enough"), turn);

    assertThat(turn.sentTo(TASKS, CancelTaskSet.class))
        .extracting(CancelTaskSet::stageId, CancelTaskSet::stageAttempt)
        .containsExactlyInAnyOrder(tuple(0, 1), tuple(1, 0));
  }

  @Test
  void aLateFetchFailureOfAnOlderAttemptIsStale() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new FetchFailed(1, 0, 0, 2, "1", "checksum"), turn);
    succeed(0, 1, "1", 2);
    turn.forgetSent();
    dag.handle(new FetchFailed(1, 0, 0, 0, "1", "late"), turn);

    assertThat(turn.sent).isEmpty();
  }

  @Test
  void aStageThatLosesItsInputTooOftenFailsTheJob() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    for (int attempt = 0; attempt < 4; attempt++) {
      dag.handle(new FetchFailed(1, attempt, 0, 0, "1", "disk gone"), turn);
      if (attempt < 3) {
        assertThat(submitted().getLast()).startsWith("0." + (attempt + 1));
        succeed(0, attempt + 1, "1", 0, 1, 2);
      }
    }

    JobFailed failed = (JobFailed) turn.sentTo(CLIENT).getLast();
    assertThat(failed.reason()).isEqualTo(Reason.STAGE_FAILED);
    assertThat(failed.why()).contains("stage 1", "4 times", "disk gone");
  }

  @Test
  void theSecondFetchFailureInARowGivesUpAllThatTheExecutorHas() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(0, 0, "2", 2);
    dag.handle(new FetchFailed(1, 0, 0, 0, "1", "gone"), turn);
    succeed(0, 1, "2", 0);
    dag.handle(new FetchFailed(1, 1, 0, 0, "2", "gone"), turn);

    assertThat(submitted()).endsWith("0.2[0, 2]");
  }

  @Test
  void outputsOnALostExecutorAreMadeAgainWhereAJobNeedsThem() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1);
    dag.handle(new ExecutorLost("1", "crashed"), turn);
    succeed(0, 0, "2", 2);
    assertThat(submitted()).endsWith("0.1[0, 1]");

    succeed(0, 1, "2", 0, 1);
    assertThat(submitted()).endsWith("1.0[0, 1]");
  }

  @Test
  void aTaskThatFailsForGoodFailsItsJobsWithTheCause() {
    submit(job(0, MAP, RESULT));
    submit(job(1, MAP, resultStage(2, 1, 0)));
    submit(job(2, resultStage(3, 1)));
    TaskFailure boom = failure(TaskFailure.Kind.EXCEPTION);
    dag.handle(new TaskSetAborted(0, 0, 2, 1, boom), turn);

    assertThat(turn.sentTo(CLIENT, JobFailed.class))
        .extracting(JobFailed::jobId)
        .containsExactly(0, 1);
    JobFailed failed = turn.sentTo(CLIENT, JobFailed.class).getFirst();
    assertThat(failed.reason()).isEqualTo(Reason.TASK_FAILED);
    assertThat(failed.failure()).contains(boom);
    assertThat(failed.why())
        .isEqualTo(
            "task 2 of stage 0 (map at Test.java:1) failed 1 time; most recent failure: "
                + "example.Boom: it broke");
  }

  @Test
  void aCancelledJobKillsWhatNoOtherJobNeeds() {
    Map<String, String> interrupting = Map.of(JobOptions.INTERRUPT_ON_CANCEL, "true");
    submit(job(0, interrupting, MAP, mapStage(3, 3, 1), resultStage(1, 2, 0, 3)));
    submit(job(1, MAP, resultStage(2, 1, 0)));
    dag.handle(new CancelJob(0, "enough"), turn);

    assertThat(turn.sentTo(TASKS, CancelTaskSet.class))
        .containsExactly(new CancelTaskSet(3, 0, true, "job 0 was cancelled: enough"));
    succeed(0, 0, "1", 0, 1, 2);
    assertThat(submitted()).endsWith("2.0[0]");
    assertThat(turn.sentTo(CLIENT, MapTasksSucceeded.class).getLast().jobId()).isEqualTo(1);
  }

  @Test
  void attemptsOfAStageAreNeverNumberedTwice() {
    submit(job(0, MAP, RESULT));
    dag.handle(new CancelJob(0, "enough"), turn);
    submit(job(1, MAP, resultStage(2, 1, 0)));

    assertThat(submitted()).containsExactly("0.0[0, 1, 2]", "0.1[0, 1, 2]");
  }

  @Test
  void groupsTagsAndStagesAreCancelledAndTheFutureToo() {
    submit(job(0, Map.of(JobOptions.GROUP, "a"), resultStage(0, 1)));
    submit(job(1, Map.of(JobOptions.TAGS, "x,y"), resultStage(1, 1)));
    submit(job(2, resultStage(2, 1)));
    submit(job(3, resultStage(3, 1)));
    dag.handle(new CancelJobGroup("a", "no more", true), turn);
    dag.handle(new CancelJobsWithTag("y", "no more"), turn);
    dag.handle(new CancelStage(2, "no more"), turn);
    submit(job(4, Map.of(JobOptions.GROUP, "a"), resultStage(4, 1)));

    assertThat(turn.sentTo(CLIENT, JobFailed.class))
        .allMatch(failed -> failed.reason() == Reason.CANCELLED)
        .extracting(JobFailed::jobId)
        .containsExactly(0, 1, 2, 4);
  }

  @Test
  void withoutAnythingToRunOnAllJobsFailAndLaterOnesTooWhereItIsForGood() {
    submit(job(0, MAP, RESULT));
    submit(job(1, MAP, resultStage(2, 1, 0)));
    dag.handle(new FailAllJobs("no executor came", false), turn);
    assertThat(turn.sentTo(CLIENT))
        .containsExactly(
            withoutResources(0, "no executor came"), withoutResources(1, "no executor came"));
    assertThat(turn.sentTo(TASKS, CancelTaskSet.class)).hasSize(1);

    submit(job(2, MAP, resultStage(3, 1, 0)));
    assertThat(submitted()).as("it is tried again").endsWith("0.1[0, 1, 2]");
    dag.handle(new FailAllJobs("none is left", true), turn);
    submit(job(3, MAP, resultStage(4, 1, 0)));
    assertThat(turn.sentTo(CLIENT))
        .endsWith(withoutResources(2, "none is left"), withoutResources(3, "none is left"));
    assertThat(submitted()).hasSize(2);
  }

  private static JobFailed withoutResources(int jobId, String why) {
    return new JobFailed(jobId, Reason.RESOURCES, why, Optional.empty());
  }

  @Test
  void aMessageForAnEndedJobIsStale() {
    finish(job(0, MAP, RESULT));
    turn.forgetSent();
    dag.handle(new CancelJob(0, "late"), turn);
    succeed(1, 0, "1", 0);
    dag.handle(new TaskSetAborted(1, 0, 0, 1, failure(TaskFailure.Kind.EXCEPTION)), turn);

    assertThat(turn.sent).isEmpty();
  }

  @Test
  void aShuffleForgottenWhileAJobUsesItLivesUntilTheJobEnds() {
    submit(job(0, MAP, RESULT));
    dag.handle(new ForgetShuffle(0), turn);
    succeed(0, 0, "1", 0, 1, 2);
    assertThat(submitted()).endsWith("1.0[0, 1]");

    succeed(1, 0, "1", 0, 1);
    assertThat(dag.outputLocation(0, 0)).isEmpty();
  }

  @Test
  void watchersHearOfJobsAndStageAttempts() {
    finish(job(0, MAP, RESULT));

    assertThat(turn.sentTo(WATCHER))
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly(
            "JobStarted", "StageStarted", "StageEnded", "StageStarted", "StageEnded", "JobEnded");
    assertThat(turn.sentTo(WATCHER, StatusEvent.StageStarted.class).getLast())
        .isEqualTo(new StatusEvent.StageStarted(1, 0, "collect at Test.java:2", 2));
  }

  @Test
  void whatWasStoredAndIsGoneIsMadeAgainByAnotherPlan() {
    finish(job(0, MAP, RESULT));
    turn.forgetSent();
    submit(job(1, sparing(resultStage(2, 2), 7, 0)));
    dag.handle(new ExecutorLost("1", "died"), turn);
    assertThat(submitted())
        .as("what is behind is not made on suspicion")
        .containsExactly("2.0[0, 1]");

    dag.handle(new FetchFailed(2, 0, 0, 1, "", "no executor has it"), turn);
    assertThat(turn.sentTo(CLIENT)).containsExactly(new PlanOutdated(1, Set.of(0)));
    assertThat(submitted()).as("it waits for its plan").hasSize(1);

    dag.handle(new ChangePlan(1, new StageGraph(List.of(MAP, resultStage(2, 2, 0)))), turn);
    assertThat(submitted()).endsWith("0.1[0, 1, 2]");
    succeed(0, 1, "2", 0, 1, 2);
    assertThat(submitted()).endsWith("2.1[0, 1]");
    succeed(2, 1, "2", 0, 1);
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(1));
  }

  @Test
  void aPlanThatHasNotHeardOfTheLossIsNotTheLast() {
    finish(job(0, MAP, RESULT));
    Stage second = mapStage(2, 1, 1);
    submit(job(1, sparing(second, 7, 0), resultStage(3, 1, 1)));
    turn.forgetSent();
    dag.handle(new FetchFailed(2, 0, 0, 1, "1", "it is gone"), turn);
    submit(job(2, sparing(second, 7, 0), resultStage(4, 1, 1)));
    assertThat(turn.sentTo(CLIENT, PlanOutdated.class))
        .containsExactly(new PlanOutdated(1, Set.of(0)), new PlanOutdated(2, Set.of(0)));

    dag.handle(
        new ChangePlan(1, new StageGraph(List.of(MAP, mapStage(2, 1, 1, 0), resultStage(3, 1, 1)))),
        turn);
    assertThat(submitted()).containsExactly("0.1[1]");
    succeed(0, 1, "2", 1);
    succeed(2, 1, "2", 0);
    assertThat(submitted()).endsWith("3.0[0]", "4.0[0]");
  }

  @Test
  void jobsThatShareAStageMayBePlannedAtDifferentTimes() {
    Stage second = mapStage(1, 1, 2, 0);
    submit(job(0, MAP, second, resultStage(2, 1, 1)));
    succeed(0, 0, "1", 0, 1, 2);
    submit(job(1, sparing(mapStage(1, 1, 2), 7, 0), resultStage(3, 1, 1)));
    succeed(1, 0, "1", 0, 1);

    assertThat(submitted()).endsWith("2.0[0]", "3.0[0]");
  }

  @Test
  void aParentThatNobodyNeedsAnyMoreIsStopped() {
    submit(job(0, MAP, mapStage(1, 1, 1, 0), resultStage(2, 1, 1)));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new ExecutorLost("1", "died"), turn);
    assertThat(submitted()).endsWith("1.0[0]", "0.1[0, 1, 2]");

    succeed(1, 0, "2", 0); // it had read all that it needs
    assertThat(turn.sentTo(TASKS, CancelTaskSet.class))
        .extracting(CancelTaskSet::stageId, CancelTaskSet::stageAttempt)
        .containsExactly(tuple(0, 1));
    assertThat(submitted()).endsWith("2.0[0]");
  }

  @Test
  void whoNeedsAStageThatWasGivenUpWhenNobodyDidStartsItAgain() {
    submit(job(0, MAP, mapStage(1, 1, 1, 0), resultStage(2, 1, 1)));
    succeed(0, 0, "1", 0, 1, 2);
    dag.handle(new ExecutorLost("1", "died"), turn);
    succeed(1, 0, "2", 0);
    dag.handle(new TaskSetAborted(0, 1, 0, 4, failure(TaskFailure.Kind.EXCEPTION)), turn);
    submit(job(1, MAP, resultStage(3, 1, 0)));

    assertThat(submitted()).endsWith("0.2[0, 1, 2]");
  }

  private void submit(SubmitJob job) {
    dag.handle(job, turn);
  }

  private void finish(SubmitJob job) {
    submit(job);
    for (Stage stage : job.graph().stages()) {
      succeed(stage.stageId(), 0, "1", IntStream.range(0, stage.numPartitions()).toArray());
    }
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(job.jobId()));
  }

  private void succeed(int stageId, int stageAttempt, String executorId, int... partitions) {
    dag.handle(
        new TasksSucceeded(
            stageId,
            stageAttempt,
            Arrays.stream(partitions)
                .mapToObj(partition -> new SucceededTask(partition, executorId, NOTHING))
                .toList()),
        turn);
  }

  /// As `stage.attempt[partitions]`, in order.
  private List<String> submitted() {
    return turn.sentTo(TASKS, SubmitTaskSet.class).stream()
        .map(set -> set.stageId() + "." + set.stageAttempt() + Arrays.toString(set.partitions()))
        .toList();
  }

  @Test
  void outputsThatWereMovedAreNotMadeAgain() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1, 2);
    OutputsMoved moved = new OutputsMoved(0, new int[] {0, 1, 2}, "1", "2", 5, CLIENT);
    dag.handle(new MoveOutputs(moved), turn);
    dag.handle(new ExecutorLost("1", "left"), turn);

    assertThat(turn.sentTo(CLIENT, OutputsLocated.class))
        .containsExactly(new OutputsLocated(5, List.of("2", "2", "2")));
    assertThat(submitted()).containsExactly("0.0[0, 1, 2]", "1.0[0, 1]");
  }

  @Test
  void anOutputThatIsElsewhereByNowIsNotMoved() {
    submit(job(0, MAP, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(0, 0, "3", 2);
    dag.handle(new MoveOutputs(new OutputsMoved(0, new int[] {1, 2}, "1", "2", 5, CLIENT)), turn);

    assertThat(turn.sentTo(CLIENT, OutputsLocated.class))
        .containsExactly(new OutputsLocated(5, List.of("1", "2", "3")));
  }
}
