package io.kiln.scheduler.dag;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.TaskFailure;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import java.util.List;

/// Everything that reaches the dag machine.
public sealed interface DagMessage extends Message {

  // from the driver's jobs

  /// @param partitions which partitions of the result stage to compute; `index` in answers counts
  ///     in this array, which nobody changes any more
  /// @param client gets the [JobEvent]s of this job
  record SubmitJob(
      int jobId, StageGraph graph, int[] partitions, JobOptions options, Address client)
      implements DagMessage {}

  /// Answers [JobEvent.PlanOutdated].
  ///
  /// @param graph with the stages that were missed, and the same result stage
  record ChangePlan(int jobId, StageGraph graph) implements DagMessage {}

  record CancelJob(int jobId, String reason) implements DagMessage {}

  /// @param includeFuture whether jobs of this group submitted later are cancelled at once
  record CancelJobGroup(String group, String reason, boolean includeFuture) implements DagMessage {}

  record CancelJobsWithTag(String tag, String reason) implements DagMessage {}

  record CancelAllJobs(String reason) implements DagMessage {}

  /// Cancels every job that needs the stage.
  record CancelStage(int stageId, String reason) implements DagMessage {}

  /// Asks where the outputs of a shuffle lie; answered by [OutputsLocated].
  record LocateOutputs(int shuffleId, long question, Address asker) implements DagMessage {}

  /// @param executorIds for each map partition; empty where there is no output
  record OutputsLocated(long question, List<String> executorIds) implements Message {}

  /// Nobody refers to the shuffle any more.
  record ForgetShuffle(int shuffleId) implements DagMessage {}

  // from the allocation machine

  /// There is nothing to run jobs on.
  ///
  /// @param includeFuture whether jobs submitted later fail at once, too
  record FailAllJobs(String why, boolean includeFuture) implements DagMessage {}

  // from the task machine

  /// @param tasks new successes of one stage attempt, each partition once an attempt
  record TasksSucceeded(int stageId, int stageAttempt, List<SucceededTask> tasks)
      implements DagMessage {}

  /// @param executorId where a map task's output lies
  record SucceededTask(int partition, String executorId, Payload result) {}

  /// A task failed too often, or in a way that no retry mends. The attempt's other tasks are being
  /// killed.
  ///
  /// @param failures how often the task has failed in this attempt
  record TaskSetAborted(
      int stageId, int stageAttempt, int partition, int failures, TaskFailure failure)
      implements DagMessage {}

  /// A reduce task could not read a map output. The attempt takes no new tasks.
  record FetchFailed(
      int stageId, int stageAttempt, int shuffleId, int mapPartition, String executorId, String why)
      implements DagMessage {}

  /// Other copies of map outputs count from now on, where the old ones did. Answered by
  /// [OutputsLocated].
  record MoveOutputs(OutputsMoved moved) implements DagMessage {}

  /// Map outputs on this executor are gone.
  record ExecutorLost(String executorId, String why) implements DagMessage {}
}
