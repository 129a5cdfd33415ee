package io.kiln.scheduler.dag;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Payload;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.dag.DagMessage.CancelAllJobs;
import io.kiln.scheduler.dag.DagMessage.CancelJob;
import io.kiln.scheduler.dag.DagMessage.CancelJobGroup;
import io.kiln.scheduler.dag.DagMessage.CancelJobsWithTag;
import io.kiln.scheduler.dag.DagMessage.CancelStage;
import io.kiln.scheduler.dag.DagMessage.ChangePlan;
import io.kiln.scheduler.dag.DagMessage.ExecutorLost;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.ForgetShuffle;
import io.kiln.scheduler.dag.DagMessage.LocateOutputs;
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
import io.kiln.scheduler.dag.StageState.Running;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.DropStored;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Turns jobs into stage attempts and stage attempts into results.
///
/// ```
///            SubmitJob                    every partition has a result
///  (absent) ───────────► running(stages) ─────────────────────────────► ended: JobSucceeded
///                              │
///                              └── cancelled, a task failed for good, or a stage's input was lost
///                                  too often ──────────────────────────► ended: JobFailed
/// ```
///
/// It is level-triggered: whatever happens first changes what outputs there are, then each job
/// concerned is asked which stages it needs and which of these can start. Outputs outlive jobs
/// until [ForgetShuffle]. Jobs share the stages of shared shuffles. A message about a stage attempt
/// that is not the running one is stale; only successes are welcome from any attempt, where their
/// partition is still missing. The states of a stage are drawn at [StageState].
public final class DagScheduler implements Machine<DagMessage> {
  private static final String NOT_NEEDED = "no job needs it any more";

  private final SchedulerAddresses addresses;
  private final SchedulerOptions options;
  private final Shuffles shuffles = new Shuffles();
  private final ActiveJobs jobs = new ActiveJobs(shuffles);
  private final IndeterminateStages indeterminate =
      new IndeterminateStages(shuffles, jobs.stages());
  private final DagReports reports;
  private final CancelledGroups cancelledGroups = new CancelledGroups();
  private Optional<String> refusal = Optional.empty();
  private boolean someAreHeldUp;

  public DagScheduler(SchedulerAddresses addresses, SchedulerOptions options) {
    this.addresses = addresses;
    this.options = options;
    this.reports = new DagReports(addresses);
  }

  @Override
  public void handle(DagMessage message, Turn turn) {
    switch (message) {
      case SubmitJob submitted -> submit(submitted, turn);
      case ChangePlan changed -> changePlan(changed, turn);
      case TasksSucceeded succeeded -> tasksSucceeded(succeeded, turn);
      case TaskSetAborted aborted -> taskSetAborted(aborted, turn);
      case FetchFailed failed -> fetchFailed(failed, turn);
      case ExecutorLost(String executorId, String _) -> executorLost(executorId, turn);
      case CancelJob(int jobId, String reason) -> cancel(job -> job.id() == jobId, reason, turn);
      case CancelJobGroup cancelled -> cancelGroup(cancelled, turn);
      case CancelJobsWithTag(String tag, String reason) ->
          cancel(job -> job.hasTag(tag), reason, turn);
      case CancelAllJobs(String reason) -> cancel(_ -> true, reason, turn);
      case FailAllJobs failed -> failAll(failed, turn);
      case CancelStage cancelled -> cancelStage(cancelled, turn);
      case ForgetShuffle(int shuffleId) -> jobs.forgetShuffle(shuffleId);
      case LocateOutputs(int shuffleId, long question, Address asker) ->
          turn.send(asker, new OutputsLocated(question, shuffles.locations(shuffleId)));
      case MoveOutputs(OutputsMoved moved) -> {
        shuffles.move(moved);
        turn.send(
            moved.asker(),
            new OutputsLocated(moved.question(), shuffles.locations(moved.shuffleId())));
      }
    }
  }

  /// The executor on which readers find a map output; asked on the machine's own thread.
  public Optional<String> outputLocation(int shuffleId, int mapPartition) {
    return shuffles.find(shuffleId).flatMap(outputs -> outputs.location(mapPartition));
  }

  /// What each job that has not ended waits for; asked on the machine's own thread.
  public List<JobWait> waits() {
    List<JobWait> waits = new ArrayList<>();
    for (JobState job : jobs.all()) {
      boolean isForOthers = job.ready().stream().anyMatch(indeterminate::mustWait);
      waits.add(new JobWait(job.id(), job.running(), job.awaitsPlan(), isForOthers));
    }
    return waits;
  }

  // jobs

  private void submit(SubmitJob submitted, Turn turn) {
    if (jobs.contains(submitted.jobId())) {
      return;
    }
    boolean isChange = jobs.plan(submitted.graph(), submitted.partitions());
    JobState job = jobs.add(submitted);
    reports.started(job, turn);
    if (isChange) {
      jobs.linkAll();
    }
    Optional<String> cancelled = cancelledGroups.reason(job.options());
    if (cancelled.isPresent()) {
      cancel(job, cancelled.get(), turn);
    } else if (refusal.isPresent()) {
      fail(job, Reason.RESOURCES, refusal.get(), turn);
    } else if (job.resultStage().isComplete()) {
      succeed(job, turn);
    } else {
      advance(job, turn);
    }
    if (isChange) {
      sharedStagesChanged(turn);
    }
  }

  private void changePlan(ChangePlan changed, Turn turn) {
    JobState job = jobs.find(changed.jobId()).orElse(null);
    if (job == null) {
      return;
    }
    job.awaitPlan(false);
    if (jobs.plan(changed.graph(), new int[0])) {
      jobs.linkAll();
      sharedStagesChanged(turn);
    } else {
      advance(job, turn);
    }
  }

  private void sharedStagesChanged(Turn turn) {
    for (StageState stage : List.copyOf(jobs.stages())) {
      if (stage.jobs().isEmpty()) {
        interrupt(stage, false, NOT_NEEDED, turn);
        jobs.remove(stage);
      } else {
        stopIfUnneeded(stage, turn);
      }
    }
    advanceAll(turn);
  }

  private void succeed(JobState job, Turn turn) {
    end(job, Optional.empty(), turn);
    turn.send(job.client(), new JobSucceeded(job.id()));
  }

  private void cancel(JobState job, String reason, Turn turn) {
    fail(job, Reason.CANCELLED, "job " + job.id() + " was cancelled: " + reason, turn);
  }

  private void failAll(FailAllJobs failed, Turn turn) {
    if (failed.includeFuture()) {
      refusal = Optional.of(failed.why());
    }
    for (JobState job : jobs.all()) {
      fail(job, Reason.RESOURCES, failed.why(), turn);
    }
  }

  private void fail(JobState job, Reason reason, String why, Turn turn) {
    fail(job, new JobFailed(job.id(), reason, why, Optional.empty()), turn);
  }

  private void fail(JobState job, JobFailed failed, Turn turn) {
    end(job, Optional.of(failed.why()), turn);
    turn.send(job.client(), failed);
  }

  /// Those who watch hear of the end before the client does: who was told that a job has ended
  /// finds it ended wherever he looks.
  private void end(JobState job, Optional<String> error, Turn turn) {
    jobs.remove(job);
    for (StageState stage : job.stages()) {
      if (jobs.needing(stage).isEmpty()) {
        interrupt(
            stage,
            job.options().interruptOnCancel(),
            error.orElse("its job no longer needs it"),
            turn);
      }
      if (stage.jobs().isEmpty()) {
        jobs.remove(stage);
      }
    }
    reports.ended(job, error, turn);
    advanceThoseHeldUp(turn);
  }

  /// A reader of an indeterminate stage has come to rest, maybe the last for which others waited.
  private void advanceThoseHeldUp(Turn turn) {
    if (someAreHeldUp) {
      someAreHeldUp = false;
      advanceAll(turn);
    }
  }

  private void interrupt(StageState stage, boolean interruptThreads, String why, Turn turn) {
    if (stage.phase() instanceof Running running) {
      reports.ended(stage, running.attempt(), Optional.of(why), turn);
    }
    kill(stage, interruptThreads, why, turn);
    stage.stop();
  }

  /// Else it would run for nobody and, once given up, be waited for by whoever needs it next.
  private void stopIfUnneeded(StageState stage, Turn turn) {
    if (stage.isRunning() && jobs.needing(stage).isEmpty()) {
      interrupt(stage, false, NOT_NEEDED, turn);
    }
  }

  private void kill(StageState stage, boolean interrupt, String why, Turn turn) {
    if (stage.mayHaveTasks()) {
      turn.send(
          addresses.tasks(), new CancelTaskSet(stage.id(), stage.latestAttempt(), interrupt, why));
      stage.tasksKilled();
    }
  }

  private void cancel(Predicate<JobState> which, String reason, Turn turn) {
    for (JobState job : jobs.all()) {
      if (which.test(job)) {
        cancel(job, reason, turn);
      }
    }
  }

  private void cancelGroup(CancelJobGroup cancelled, Turn turn) {
    if (cancelled.includeFuture()) {
      cancelledGroups.add(cancelled.group(), cancelled.reason());
    }
    cancel(
        job -> job.options().group().filter(cancelled.group()::equals).isPresent(),
        cancelled.reason(),
        turn);
  }

  private void cancelStage(CancelStage cancelled, Turn turn) {
    jobs.stage(cancelled.stageId())
        .ifPresent(
            stage ->
                cancel(
                    job -> job.needs(stage),
                    stage.describe() + " was cancelled: " + cancelled.reason(),
                    turn));
  }

  // stages

  private void advance(JobState job, Turn turn) {
    if (!jobs.contains(job.id())) {
      return; // what happened to another has ended it
    }
    Set<Integer> missed = job.missedInputs();
    if (!missed.isEmpty() && !job.awaitsPlan()) {
      job.awaitPlan(true);
      turn.send(job.client(), new PlanOutdated(job.id(), missed));
    }
    List<StageState> ready = job.ready();
    someAreHeldUp |= ready.removeIf(indeterminate::mustWait);
    for (StageState stage : ready) {
      if (indeterminate.mustStartOver(stage)) {
        startOver(stage, turn);
        return;
      }
    }
    ready.forEach(stage -> start(stage, turn));
  }

  private void advanceAll(Turn turn) {
    jobs.all().forEach(job -> advance(job, turn));
  }

  private void advanceJobsOf(StageState stage, Turn turn) {
    jobs.of(stage).forEach(job -> advance(job, turn));
  }

  private void startOver(StageState stage, Turn turn) {
    Set<Integer> stored = indeterminate.storedFrom(stage);
    List<StageState> readers = indeterminate.startOver(stage);
    List<JobState> concerned = jobs.of(stage);
    for (StageState reader : readers) {
      interrupt(reader, false, stage.describe() + " computes its input again", turn);
      concerned.addAll(jobs.of(reader));
    }
    if (!stored.isEmpty()) {
      turn.send(addresses.tasks(), new DropStored(List.copyOf(stored))); // after the kills
    }
    for (StageState reader : readers) {
      if (reader instanceof ResultStageState result
          && result.hasDelivered()
          && !result.jobs().isEmpty()) {
        String why = Failures.describeUnrepeatable(stage, result);
        fail(jobs.of(result), Reason.STAGE_FAILED, why, turn);
      }
    }
    concerned.forEach(job -> advance(job, turn));
  }

  private void start(StageState stage, Turn turn) {
    if (stage.stage().indeterminate()) {
      kill(stage, false, "it is computed again", turn);
      stage.refuseEarlierAttempts(); // of each output there is one version
    }
    JobState payer = jobs.needing(stage).getFirst();
    shuffles.readBy(stage.stage());
    int[] partitions = stage.missingPartitions();
    Running running = stage.start(payer.id(), partitions.length);
    reports.started(stage, running.attempt(), partitions.length, turn);
    turn.send(
        addresses.tasks(),
        new SubmitTaskSet(
            stage.id(),
            running.attempt(),
            partitions,
            payer.id(),
            stage.stage().binary(),
            stage.stage().locality(),
            payer.options()));
  }

  private void tasksSucceeded(TasksSucceeded succeeded, Turn turn) {
    StageState stage = jobs.stage(succeeded.stageId()).orElse(null);
    if (stage == null || stage.isComplete() || !stage.accepts(succeeded.stageAttempt())) {
      return;
    }
    boolean attemptEnded =
        stage.phase() instanceof Running running
            && running.attempt() == succeeded.stageAttempt()
            && running.tasksSucceeded(succeeded.tasks().size());
    switch (stage) {
      case MapStageState map -> addOutputs(map, succeeded.tasks(), turn);
      case ResultStageState result -> addResults(result, succeeded.tasks(), turn);
    }
    if (stage.isComplete()) {
      complete(stage, turn);
    } else if (attemptEnded) {
      reports.ended(stage, succeeded.stageAttempt(), Optional.of("map outputs were lost"), turn);
      stage.stop();
      advanceJobsOf(stage, turn);
    }
  }

  private void addOutputs(MapStageState stage, List<SucceededTask> tasks, Turn turn) {
    List<Payload> firsts = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      SucceededTask task = tasks.get(i);
      if (stage.outputs().add(task.partition(), task.executorId())
          && stage.outputs().isFirst(task.partition())) {
        firsts.add(task.result());
      }
    }
    if (!firsts.isEmpty()) {
      JobState payer = jobs.payer(stage);
      turn.send(payer.client(), new MapTasksSucceeded(payer.id(), stage.id(), firsts));
    }
  }

  private void addResults(ResultStageState stage, List<SucceededTask> tasks, Turn turn) {
    List<PartitionResult> results = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      SucceededTask task = tasks.get(i);
      stage.add(task.partition(), task.result()).ifPresent(results::add);
    }
    if (!results.isEmpty()) {
      JobState job = jobs.of(stage);
      turn.send(job.client(), new PartitionsComputed(job.id(), results));
    }
  }

  private void complete(StageState stage, Turn turn) {
    if (stage.phase() instanceof Running running) {
      reports.ended(stage, running.attempt(), Optional.empty(), turn);
    }
    kill(stage, false, "another attempt has done its work", turn);
    stage.completed();
    if (stage instanceof ResultStageState result) {
      succeed(jobs.of(result), turn);
      return;
    }
    for (JobState job : jobs.of(stage)) {
      job.stages().forEach(parent -> stopIfUnneeded(parent, turn));
    }
    advanceJobsOf(stage, turn);
    advanceThoseHeldUp(turn);
  }

  // failures

  private void taskSetAborted(TaskSetAborted aborted, Turn turn) {
    StageState stage = jobs.stage(aborted.stageId()).orElse(null);
    if (stage == null || !stage.isRunning(aborted.stageAttempt())) {
      return;
    }
    failJobsOf(
        stage, Reason.TASK_FAILED, Failures.describe(aborted, stage), aborted.failure(), turn);
    stopIfUnneeded(stage, turn);
  }

  private void failJobsOf(
      StageState stage, Reason reason, String why, TaskFailure failure, Turn turn) {
    for (JobState job : jobs.needing(stage)) {
      fail(job, new JobFailed(job.id(), reason, why, Optional.ofNullable(failure)), turn);
    }
  }

  private void fetchFailed(FetchFailed failed, Turn turn) {
    StageState stage = jobs.stage(failed.stageId()).orElse(null);
    if (stage == null
        || stage.latestAttempt() != failed.stageAttempt()
        || stage.isComplete()
        || !stage.accepts(failed.stageAttempt())) {
      return;
    }
    boolean isFirst = stage.isRunning();
    if (isFirst) {
      reports.ended(stage, failed.stageAttempt(), Optional.of(failed.why()), turn);
      stage.abandon();
      stage.inputLost();
    }
    forgetOutputs(failed, stage.lostInputs() > 1);
    stage.miss(failed.shuffleId());
    if (isFirst && stage.lostInputs() >= options.maxStageAttempts()) {
      failJobsOf(
          stage,
          Reason.STAGE_FAILED,
          Failures.describe(failed, stage, stage.lostInputs()),
          null,
          turn);
    } else {
      advanceJobsOf(stage, turn);
    }
    advanceThoseHeldUp(turn);
  }

  /// @param everything whether to give up all that the executor has of the shuffle: one output
  ///     after the other being lost there, asking for each would cost an attempt each
  private void forgetOutputs(FetchFailed failed, boolean everything) {
    shuffles
        .find(failed.shuffleId())
        .ifPresent(
            outputs -> {
              boolean news = outputs.remove(failed.mapPartition(), failed.executorId());
              if (news && everything) {
                outputs.removeAll(failed.executorId());
              }
            });
  }

  private void executorLost(String executorId, Turn turn) {
    shuffles.executorLost(executorId);
    advanceAll(turn);
  }
}
