package io.kiln.scheduler.dag;

import static io.kiln.scheduler.Fixtures.ADDRESSES;
import static io.kiln.scheduler.Fixtures.CLIENT;
import static io.kiln.scheduler.Fixtures.NOTHING;
import static io.kiln.scheduler.Fixtures.TASKS;
import static io.kiln.scheduler.Fixtures.job;
import static io.kiln.scheduler.Fixtures.mapStage;
import static io.kiln.scheduler.Fixtures.resultStage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kiln.base.machine.RecordedTurn;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.dag.DagMessage.CancelJob;
import io.kiln.scheduler.dag.DagMessage.ExecutorLost;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.Reason;
import io.kiln.scheduler.dag.StageGraph.Stage;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The dag machine with a stage whose outputs differ each time.
class IndeterminateStagesTest {
  private static final Stage DEALT = mapStage(0, 0, 2).asIndeterminate();
  private static final Stage SUMMED = mapStage(1, 1, 2, 0).asIndeterminate();
  private static final Stage RESULT = resultStage(2, 2, 1);

  private final DagScheduler dag = new DagScheduler(ADDRESSES, SchedulerOptions.DEFAULT);
  private final RecordedTurn turn = new RecordedTurn();

  @Test
  void onlyWhatIsLostIsMadeAgainWhileNobodyHasReadIt() {
    submit(job(0, DEALT, resultStage(2, 2, 0)));
    succeed(0, 0, "1", 0);
    lose("1");
    succeed(0, 0, "2", 1);

    assertThat(submitted()).endsWith("0.1[0]");
  }

  @Test
  void allThatWasComputedFromLostOutputsIsMadeAgain() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0);
    succeed(0, 0, "2", 1);
    succeed(1, 0, "3", 0);
    lose("1");
    assertThat(submitted()).endsWith("0.1[0, 1]");
    assertThat(killed()).containsExactly(tuple(1, 0));

    succeed(0, 1, "2", 0, 1);
    assertThat(submitted()).endsWith("1.1[0, 1]");
    succeed(1, 1, "2", 0, 1);
    succeed(2, 0, "2", 0, 1);
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(0));
  }

  @Test
  void outputsThatAreThereAndReadByNobodyElseServeAnotherJob() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(1, 0, "2", 0, 1);
    succeed(2, 0, "2", 0, 1);
    lose("1");
    submit(job(1, DEALT, SUMMED, resultStage(3, 1, 1)));

    assertThat(submitted()).endsWith("3.0[0]");
  }

  @Test
  void aStageOfAnEarlierJobIsNotCompletedFromOtherInput() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(1, 0, "1", 0);
    succeed(1, 0, "2", 1);
    succeed(2, 0, "2", 0, 1);
    lose("1");
    submit(job(1, DEALT, SUMMED, resultStage(3, 1, 1)));
    assertThat(submitted()).endsWith("0.1[0, 1]");

    succeed(0, 1, "2", 0, 1);
    assertThat(submitted()).endsWith("1.1[0, 1]");
  }

  @Test
  void whatAnEarlierAttemptComputesIsNotWelcome() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    lose("1");
    succeed(1, 0, "2", 0);
    succeed(0, 0, "2", 0);
    succeed(0, 1, "2", 0, 1);

    assertThat(submitted()).endsWith("0.1[0, 1]", "1.1[0, 1]");
  }

  @Test
  void ofEachOutputThereIsOneVersion() {
    submit(job(0, DEALT, resultStage(2, 2, 0)));
    succeed(0, 0, "1", 0);
    lose("1");
    succeed(0, 0, "2", 1);
    succeed(0, 0, "3", 0);
    assertThat(submitted()).endsWith("0.1[0]");

    succeed(0, 1, "2", 0);
    assertThat(submitted()).endsWith("2.0[0, 1]");
  }

  @Test
  void aFetchFailureOfAnEarlierAttemptIsStale() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    lose("1");
    succeed(0, 1, "2", 0);
    turn.forgetSent();
    dag.handle(new FetchFailed(1, 0, 0, 0, "2", "late"), turn);
    succeed(0, 1, "2", 1);

    assertThat(submitted()).containsExactly("1.1[0, 1]");
  }

  @Test
  void resultsThatAreDeliveredCanNotBeMixedWithOthers() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(1, 0, "1", 0, 1);
    succeed(2, 0, "2", 0);
    lose("1");
    assertThat(turn.sentTo(CLIENT, JobFailed.class)).as("it may have read all").isEmpty();

    dag.handle(new FetchFailed(2, 0, 1, 0, "1", "connection refused"), turn);
    JobFailed failed = turn.sentTo(CLIENT, JobFailed.class).getFirst();
    assertThat(failed.reason()).isEqualTo(Reason.STAGE_FAILED);
    assertThat(failed.why())
        .isEqualTo(
            "outputs of stage 0 (map at Test.java:1) were lost and can't be made again as they"
                + " were, since they depend on the order of the input or on chance, and results"
                + " of stage 2 (collect at Test.java:2) that were computed from them have been"
                + " delivered; checkpoint() the RDD on which that stage ends, or make its records"
                + " independent of order and chance");
  }

  @Test
  void aJobThatHasReadAllItNeedsSucceeds() {
    submit(job(0, DEALT, SUMMED, RESULT));
    succeed(0, 0, "1", 0, 1);
    succeed(1, 0, "1", 0, 1);
    succeed(2, 0, "2", 0);
    lose("1");
    succeed(2, 0, "2", 1);

    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(0));
    assertThat(submitted()).endsWith("2.0[0, 1]");
  }

  @Test
  void anotherJobThatHadToWaitForThatGoesOn() {
    submit(job(0, DEALT, resultStage(2, 2, 0)));
    succeed(0, 0, "1", 0, 1);
    succeed(2, 0, "2", 0);
    lose("1");
    submit(job(1, DEALT, resultStage(3, 1, 0)));
    assertThat(submitted()).endsWith("2.0[0, 1]");

    dag.handle(new CancelJob(0, "enough"), turn);
    assertThat(submitted()).endsWith("0.1[0, 1]");
  }

  @Test
  void aStageWithoutTasksHasReadNothing() {
    submit(job(0, DEALT, mapStage(1, 1, 0, 0).asIndeterminate(), resultStage(2, 2, 0, 1)));
    submit(job(1, DEALT, mapStage(1, 1, 0, 0).asIndeterminate(), resultStage(3, 2, 1)));
    succeed(0, 0, "1", 0, 1);
    lose("1");

    assertThat(submitted()).containsExactly("0.0[0, 1]", "3.0[0, 1]", "2.0[0, 1]", "0.1[0, 1]");
    assertThat(killed()).containsExactly(tuple(2, 0));
  }

  @Test
  void aJobWithoutDeliveredResultsStartsOver() {
    submit(job(0, DEALT, resultStage(2, 2, 0)));
    succeed(0, 0, "1", 0);
    succeed(0, 0, "2", 1);
    lose("1");
    succeed(2, 0, "2", 0, 1);
    assertThat(turn.sentTo(CLIENT, PartitionsComputed.class)).isEmpty();

    succeed(0, 1, "2", 0, 1);
    succeed(2, 1, "2", 0, 1);
    assertThat(turn.sentTo(CLIENT)).endsWith(new JobSucceeded(0));
  }

  private void submit(SubmitJob job) {
    dag.handle(job, turn);
  }

  private void lose(String executorId) {
    dag.handle(new ExecutorLost(executorId, "was killed"), turn);
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

  private List<org.assertj.core.groups.Tuple> killed() {
    return turn.sentTo(TASKS, CancelTaskSet.class).stream()
        .map(set -> tuple(set.stageId(), set.stageAttempt()))
        .toList();
  }
}
