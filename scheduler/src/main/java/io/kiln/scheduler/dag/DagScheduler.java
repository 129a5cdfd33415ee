package io.kiln.scheduler.dag;

import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Payload;
import io.kiln.base.machine.Turn;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.StatusEvent.StageStarted;
import io.kiln.scheduler.dag.DagMessage.CancelAllJobs;
import io.kiln.scheduler.dag.DagMessage.CancelJob;
import io.kiln.scheduler.dag.DagMessage.CancelJobGroup;
import io.kiln.scheduler.dag.DagMessage.CancelJobsWithTag;
import io.kiln.scheduler.dag.DagMessage.CancelStage;
import io.kiln.scheduler.dag.DagMessage.ExecutorLost;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.dag.DagMessage.FetchFailed;
import io.kiln.scheduler.dag.DagMessage.ForgetShuffle;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.JobFailed;
import io.kiln.scheduler.dag.JobEvent.JobSucceeded;
import io.kiln.scheduler.dag.JobEvent.MapTasksSucceeded;
import io.kiln.scheduler.dag.JobEvent.PartitionResult;
import io.kiln.scheduler.dag.JobEvent.PartitionsComputed;
import io.kiln.scheduler.dag.JobEvent.Reason;
import io.kiln.scheduler.dag.StageState.Running;
import io.kiln.scheduler.task.TaskFailure;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final SchedulerAddresses addresses;
  private final SchedulerOptions options;
  private final Map<Integer, JobState> jobs = new LinkedHashMap<>();
  private final Map<Integer, StageState> stages = new LinkedHashMap<>();
  private final Shuffles shuffles = new Shuffles();
  private final CancelledGroups cancelledGroups = new CancelledGroups();
  private Optional<String> refusal = Optional.empty();

  public DagScheduler(SchedulerAddresses addresses, SchedulerOptions options) {
    this.addresses = addresses;
    this.options = options;
  }

  @Override
  public void handle(DagMessage message, Turn turn) {
    switch (message) {
      case SubmitJob submitted -> submit(submitted, turn);
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
      case ForgetShuffle(int shuffleId) -> forgetShuffle(shuffleId);
    }
  }

  /// The executor on which readers find a map output; asked on the machine's own thread.
  public Optional<String> outputLocation(int shuffleId, int mapPartition) {
    return shuffles.find(shuffleId).flatMap(outputs -> outputs.location(mapPartition));
  }

  // jobs

  private void submit(SubmitJob submitted, Turn turn) {
    if (jobs.containsKey(submitted.jobId())) {
      return;
    }
    JobState job = new JobState(submitted, stagesOf(submitted));
    jobs.put(job.id(), job);
    job.stages().forEach(stage -> stage.jobs().add(job.id()));
    tellStarted(job, turn);
    Optional<String> cancelled = cancelledGroups.reason(job.options());
    if (cancelled.isPresent()) {
      cancel(job, cancelled.get(), turn);
    } else if (refusal.isPresent()) {
      fail(job, withoutResources(job, refusal.get()), turn);
    } else if (job.resultStage().isComplete()) {
      succeed(job, turn);
    } else {
      advance(job, turn);
    }
  }

  private List<StageState> stagesOf(SubmitJob submitted) {
    List<StageState> found = new ArrayList<>(submitted.graph().stages().size());
    for (StageGraph.Stage stage : submitted.graph().stages()) {
      found.add(
          stages.computeIfAbsent(
              stage.stageId(),
              _ ->
                  stage.writesShuffle()
                      ? new MapStageState(
                          stage, shuffles.of(stage.shuffleId(), stage.numPartitions()))
                      : new ResultStageState(stage, submitted.partitions())));
    }
    return found;
  }

  private void tellStarted(JobState job, Turn turn) {
    if (!addresses.watched()) {
      return;
    }
    List<StageStarted> planned = new ArrayList<>();
    for (StageState stage : job.stages()) {
      planned.add(
          new StageStarted(
              stage.id(),
              stage.latestAttempt() + 1,
              stage.stage().name(),
              stage.stage().numPartitions()));
    }
    addresses.tellWatchers(new StatusEvent.JobStarted(job.id(), planned, job.options()), turn);
  }

  private void succeed(JobState job, Turn turn) {
    end(job, Optional.empty(), turn);
    turn.send(job.client(), new JobSucceeded(job.id()));
  }

  private void cancel(JobState job, String reason, Turn turn) {
    fail(
        job,
        new JobFailed(
            job.id(),
            Reason.CANCELLED,
            "job " + job.id() + " was cancelled: " + reason,
            Optional.empty()),
        turn);
  }

  private void failAll(FailAllJobs failed, Turn turn) {
    if (failed.includeFuture()) {
      refusal = Optional.of(failed.why());
    }
    for (JobState job : List.copyOf(jobs.values())) {
      fail(job, withoutResources(job, failed.why()), turn);
    }
  }

  private static JobFailed withoutResources(JobState job, String why) {
    return new JobFailed(job.id(), Reason.RESOURCES, why, Optional.empty());
  }

  private void fail(JobState job, JobFailed failed, Turn turn) {
    end(job, Optional.of(failed.why()), turn);
    turn.send(job.client(), failed);
  }

  /// Those who watch hear of the end before the client does: who was told that a job has ended
  /// finds it ended wherever he looks.
  private void end(JobState job, Optional<String> error, Turn turn) {
    jobs.remove(job.id());
    for (StageState stage : job.stages()) {
      stage.jobs().remove(job.id());
      if (!isNeeded(stage)) {
        giveUp(stage, job, error.orElse("its job no longer needs it"), turn);
      }
      if (stage.jobs().isEmpty()) {
        remove(stage);
      }
    }
    addresses.tellWatchers(new StatusEvent.JobEnded(job.id(), error), turn);
  }

  private boolean isNeeded(StageState stage) {
    return stage.jobs().stream().anyMatch(id -> jobs.get(id).needs(stage));
  }

  private JobState firstInNeed(StageState stage) {
    return stage.jobs().stream()
        .map(jobs::get)
        .filter(job -> job.needs(stage))
        .findFirst()
        .orElseThrow();
  }

  private void giveUp(StageState stage, JobState job, String why, Turn turn) {
    if (stage.phase() instanceof Running running) {
      tellEnded(stage, running.attempt(), Optional.of(why), turn);
    }
    kill(stage, job.options().interruptOnCancel(), why, turn);
    stage.stop();
  }

  private void kill(StageState stage, boolean interrupt, String why, Turn turn) {
    if (stage.mayHaveTasks()) {
      turn.send(
          addresses.tasks(), new CancelTaskSet(stage.id(), stage.latestAttempt(), interrupt, why));
      stage.tasksKilled();
    }
  }

  private void remove(StageState stage) {
    stages.remove(stage.id());
    if (stage instanceof MapStageState map && map.outputs().isForgotten()) {
      shuffles.remove(map.outputs().shuffleId());
    }
  }

  private void cancel(Predicate<JobState> which, String reason, Turn turn) {
    List<JobState> cancelled = jobs.values().stream().filter(which).toList();
    cancelled.forEach(job -> cancel(job, reason, turn));
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
    StageState stage = stages.get(cancelled.stageId());
    if (stage != null) {
      cancel(
          job -> job.needs(stage),
          stage.describe() + " was cancelled: " + cancelled.reason(),
          turn);
    }
  }

  // stages

  private void advance(JobState job, Turn turn) {
    job.ready().forEach(stage -> start(stage, turn));
  }

  private void advanceJobsOf(StageState stage, Turn turn) {
    for (int jobId : List.copyOf(stage.jobs())) {
      advance(jobs.get(jobId), turn);
    }
  }

  private void start(StageState stage, Turn turn) {
    JobState payer = firstInNeed(stage);
    int[] partitions = stage.missingPartitions();
    Running running = stage.start(payer.id(), partitions.length);
    if (addresses.watched()) {
      addresses.tellWatchers(
          new StageStarted(stage.id(), running.attempt(), stage.stage().name(), partitions.length),
          turn);
    }
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

  private void tellEnded(StageState stage, int attempt, Optional<String> error, Turn turn) {
    addresses.tellWatchers(new StatusEvent.StageEnded(stage.id(), attempt, error), turn);
  }

  private void tasksSucceeded(TasksSucceeded succeeded, Turn turn) {
    StageState stage = stages.get(succeeded.stageId());
    if (stage == null || stage.isComplete()) {
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
      tellEnded(stage, succeeded.stageAttempt(), Optional.of("map outputs were lost"), turn);
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
      JobState payer = jobs.get(stage.payer());
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
      JobState job = jobs.get(stage.jobs().getFirst());
      turn.send(job.client(), new PartitionsComputed(job.id(), results));
    }
  }

  private void complete(StageState stage, Turn turn) {
    if (stage.phase() instanceof Running running) {
      tellEnded(stage, running.attempt(), Optional.empty(), turn);
    }
    kill(stage, false, "another attempt has done its work", turn);
    stage.completed();
    if (stage instanceof ResultStageState) {
      succeed(jobs.get(stage.jobs().getFirst()), turn);
    } else {
      advanceJobsOf(stage, turn);
    }
  }

  // failures

  private void taskSetAborted(TaskSetAborted aborted, Turn turn) {
    StageState stage = stages.get(aborted.stageId());
    if (stage == null || !stage.isRunning(aborted.stageAttempt())) {
      return;
    }
    failJobsOf(
        stage, Reason.TASK_FAILED, Failures.describe(aborted, stage), aborted.failure(), turn);
  }

  private void failJobsOf(
      StageState stage, Reason reason, String why, TaskFailure failure, Turn turn) {
    List<JobState> failed = new ArrayList<>();
    stage.jobs().forEach(id -> failed.add(jobs.get(id)));
    failed.removeIf(job -> !job.needs(stage));
    for (JobState job : failed) {
      fail(job, new JobFailed(job.id(), reason, why, Optional.ofNullable(failure)), turn);
    }
  }

  private void fetchFailed(FetchFailed failed, Turn turn) {
    StageState stage = stages.get(failed.stageId());
    if (stage == null || stage.latestAttempt() != failed.stageAttempt() || stage.isComplete()) {
      return;
    }
    boolean isFirst = stage.isRunning();
    if (isFirst) {
      tellEnded(stage, failed.stageAttempt(), Optional.of(failed.why()), turn);
      stage.abandon();
      stage.inputLost();
    }
    forgetOutputs(failed, stage.lostInputs() > 1);
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
    for (JobState job : List.copyOf(jobs.values())) {
      advance(job, turn);
    }
  }

  private void forgetShuffle(int shuffleId) {
    boolean inUse =
        stages.values().stream().anyMatch(stage -> stage.stage().shuffleId() == shuffleId);
    if (inUse) {
      shuffles.find(shuffleId).ifPresent(MapOutputs::forget);
    } else {
      shuffles.remove(shuffleId);
    }
  }
}
