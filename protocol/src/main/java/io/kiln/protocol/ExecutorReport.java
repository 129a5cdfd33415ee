package io.kiln.protocol;

import io.kiln.api.listener.KilnEvent.TaskInfo;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.machine.Message;
import java.util.List;

/// What an executor tells its driver. The endpoint is [ExecutorProtocol#SCHEDULER].
public sealed interface ExecutorReport extends Message {

  /// Tasks have ended, or are given back.
  record TaskUpdates(String executorId, long incarnation, List<TaskUpdate> updates)
      implements ExecutorReport {}

  /// The executor lives, and so do its tasks.
  record Heartbeat(String executorId, long incarnation) implements ExecutorReport {}

  /// The executor was told, by a signal, that it is about to be taken away.
  record Decommissioned(String executorId, long incarnation) implements ExecutorReport {}

  /// The executor was [ExecutorMessage.Drained], has moved what it could, and ends once it is told
  /// to.
  record Leaves(String executorId, long incarnation) implements ExecutorReport {}

  /// How far its running tasks are. What an accumulator holds comes with the task's end; these are
  /// only for people.
  record TasksProgress(String executorId, List<TaskProgress> tasks) implements ExecutorReport {}

  /// @param accumulators those that it has added to, as far as there is room in the message
  record TaskProgress(TaskInfo task, TaskMetrics metrics, List<SentValue> accumulators) {}

  /// @param name of the accumulator; empty if it has none
  /// @param serialized what it holds
  record SentValue(long accumulatorId, String name, byte[] serialized) {}

  /// Comes before the update of the task that stored a block.
  record BlocksChanged(String executorId, List<BlockId> added, List<BlockId> removed)
      implements ExecutorReport {}
}
