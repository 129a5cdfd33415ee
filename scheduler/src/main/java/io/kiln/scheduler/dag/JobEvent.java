package io.kiln.scheduler.dag;

import io.kiln.base.machine.Message;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.TaskFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the dag machine says to the client of a job, in order; [JobSucceeded] or [JobFailed] is the
/// last.
public sealed interface JobEvent extends Message {
  int jobId();

  /// @param results new results, each index once a job
  record PartitionsComputed(int jobId, List<PartitionResult> results) implements JobEvent {}

  /// @param index in the job's array of partitions
  record PartitionResult(int index, Payload result) {}

  /// Map tasks that this job needed have succeeded; their results carry accumulator updates.
  record MapTasksSucceeded(int jobId, int stageId, List<Payload> results) implements JobEvent {}

  /// The job waits for [DagMessage.ChangePlan]: it has missed outputs of shuffles that its plan
  /// spared, since they lie behind what was stored.
  ///
  /// @param shuffleIds not to be spared, whatever is stored
  record PlanOutdated(int jobId, Set<Integer> shuffleIds) implements JobEvent {}

  record JobSucceeded(int jobId) implements JobEvent {}

  /// @param failure the task failure that ended it; empty if no task did
  record JobFailed(int jobId, Reason reason, String why, Optional<TaskFailure> failure)
      implements JobEvent {}

  enum Reason {
    /// A task failed too often.
    TASK_FAILED,
    CANCELLED,
    /// A stage's input was lost too often, or can't be made again as it was.
    STAGE_FAILED,
    /// There was nothing to run it on.
    RESOURCES
  }
}
