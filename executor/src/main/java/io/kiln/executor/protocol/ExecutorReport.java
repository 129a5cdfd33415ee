package io.kiln.executor.protocol;

import io.kiln.base.machine.Message;
import io.kiln.storage.block.BlockId;
import java.util.List;

/// What an executor tells its driver, besides [io.kiln.scheduler.task.TaskMessage.TaskUpdates]. The
/// endpoint is [ExecutorProtocol#SCHEDULER].
public sealed interface ExecutorReport extends Message {

  /// The executor lives, and so do its tasks.
  record Heartbeat(String executorId, long incarnation) implements ExecutorReport {}

  /// Comes before the update of the task that stored a block.
  record BlocksChanged(String executorId, List<BlockId> added, List<BlockId> removed)
      implements ExecutorReport {}
}
