package io.kiln.executor.protocol;

import io.kiln.base.machine.Message;

/// What an executor tells its driver, besides [io.kiln.scheduler.task.TaskMessage.TaskUpdates]. The
/// endpoint is [ExecutorProtocol#SCHEDULER].
public sealed interface ExecutorReport extends Message {

  /// The executor lives, and so do its tasks.
  record Heartbeat(String executorId, long incarnation) implements ExecutorReport {}
}
