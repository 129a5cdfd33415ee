package io.kiln.scheduler.task;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.List;

/// Everything that reaches the task machine.
public sealed interface TaskMessage extends Message {

  // from the dag machine

  /// Runs the tasks of one stage attempt.
  ///
  /// @param partitions which of the stage's partitions; nobody changes the array any more
  /// @param priority the id of the first job that needs it: lower goes first in a FIFO pool
  record SubmitTaskSet(
      int stageId,
      int stageAttempt,
      int[] partitions,
      int priority,
      Payload binary,
      Locality locality,
      JobOptions options)
      implements TaskMessage {}

  /// Nobody needs the remaining tasks of this attempt, nor those of the stage's earlier attempts:
  /// waiting ones are dropped, running ones killed.
  record CancelTaskSet(int stageId, int stageAttempt, boolean interrupt, String reason)
      implements TaskMessage {}

  /// What executors have stored of these persisted RDDs is out of date. Follows the cancellation of
  /// the tasks that may still store some.
  record DropStored(List<Integer> rddIds) implements TaskMessage {}

  /// Whether single tasks are reported to those who watch.
  record WatchTasks(boolean watch) implements TaskMessage {}

  // from the machine's own timers

  /// Those who watch are to hear how far the running stages are.
  record ProgressDue() implements TaskMessage {}

  /// A task has waited long enough for a slot near its data.
  record LocalityWaitOver() implements TaskMessage {}

  /// What waits on executors may be late: a slot elsewhere is idle.
  record QueuesDue() implements TaskMessage {}

  // from whoever sees to it that there are executors

  /// Idempotent.
  ///
  /// @param incarnation grows with each start of the executor; makes older messages stale
  record ExecutorRegistered(
      String executorId, long incarnation, Address address, String host, int slots)
      implements TaskMessage {}

  /// The executor is to go: it gets no more tasks, and is told so
  /// ([ExecutorMessage.Decommission], [ExecutorMessage.Drained]). Idempotent.
  record ExecutorDecommissioned(String executorId, long incarnation) implements TaskMessage {}

  /// Another executor has copies of map outputs. Answered by the dag machine with
  /// [DagMessage.OutputsLocated]: those that it then believes to be elsewhere were not moved, be it
  /// that the other executor is gone, or about to go.
  ///
  /// @param from the executor that had them
  /// @param to the one that has them now
  /// @param question, asker as in [DagMessage.LocateOutputs]
  record OutputsMoved(
      int shuffleId, int[] mapPartitions, String from, String to, long question, Address asker)
      implements TaskMessage {}

  /// The executor can't be reached any more, and what it holds is lost. It takes no more tasks;
  /// what became of those that it has is said by [ExecutorGone], which follows within a second or
  /// so.
  ///
  /// @param why for people
  record ExecutorUnreachable(String executorId, long incarnation, String why)
      implements TaskMessage {}

  /// The executor is no more, nor are its tasks.
  ///
  /// @param why completes "it …"
  /// @param byTasks whether the tasks that ran in it may be to blame; then it counts as a failure
  ///     of each
  record ExecutorGone(String executorId, long incarnation, String why, boolean byTasks)
      implements TaskMessage {}

  // from executors

  /// Tasks have ended, or were given back.
  record TasksUpdated(TaskUpdates report) implements TaskMessage {}
}
