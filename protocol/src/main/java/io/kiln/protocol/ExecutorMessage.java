package io.kiln.protocol;

import io.kiln.base.machine.Message;
import io.kiln.base.machine.Payload;
import java.util.List;
import java.util.Map;

/// What the task machine says to an executor. In the process of the machine it arrives as it is; to
/// another process [LaunchTasks] goes as [ExecutorCommand]s, and the others go as they are.
public sealed interface ExecutorMessage extends Message {
  /// Fences the message: an executor of another incarnation drops it.
  long incarnation();

  /// One message for all the tasks that an executor gets in a turn.
  record LaunchTasks(long incarnation, List<TaskBatch> batches) implements ExecutorMessage {}

  /// Tasks of one stage attempt. The arrays are parallel, and nobody changes them any more.
  ///
  /// @param binary the same object for every batch of a stage attempt; between processes it is sent
  ///     once an executor
  /// @param taskIds unique in the application, growing
  /// @param attempts how many attempts of the partition came before in this stage attempt
  record TaskBatch(
      int stageId,
      int stageAttempt,
      Payload binary,
      Map<String, String> properties,
      long[] taskIds,
      int[] partitions,
      int[] attempts) {}

  /// @param interrupt whether to interrupt the tasks' threads
  record KillTasks(long incarnation, long[] taskIds, boolean interrupt, String reason)
      implements ExecutorMessage {}

  /// Others could run what waits here: the executor gives back up to so many tasks that no slot has
  /// begun, the last first, each as [TaskUpdate.Returned]. Idempotent: what has begun stays.
  record ReturnTasks(long incarnation, int atMost) implements ExecutorMessage {}

  /// No task will come any more: the executor moves what it has to others, and goes on with the
  /// tasks that it has.
  record Decommission(long incarnation) implements ExecutorMessage {}

  /// Follows [Decommission]: what became of all its tasks is known. Once nothing is left that
  /// others may need, the executor may go.
  record Drained(long incarnation) implements ExecutorMessage {}

  /// What is stored of these persisted RDDs is not to be read any more; nor do tasks that were
  /// killed before store more of it.
  record DropStored(long incarnation, List<Integer> rddIds) implements ExecutorMessage {}

  /// No task of the stage attempt will come any more: its binary can be dropped.
  record ForgetStage(long incarnation, int stageId, int stageAttempt) implements ExecutorMessage {}
}
