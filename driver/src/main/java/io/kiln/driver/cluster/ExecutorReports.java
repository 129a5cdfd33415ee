package io.kiln.driver.cluster;

import io.kiln.api.listener.KilnEvent;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.machine.Message;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.Receiver;
import io.kiln.protocol.BlockId;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.protocol.ExecutorReport.BlocksChanged;
import io.kiln.protocol.ExecutorReport.Decommissioned;
import io.kiln.protocol.ExecutorReport.Heartbeat;
import io.kiln.protocol.ExecutorReport.Leaves;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.ExecutorReport.TasksProgress;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorDecommissioned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLeaves;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Brings what executors report to those who need to hear it. Does not block.
///
/// @param results fetches what was too large for a report
/// @param tasks hears of tasks, on any thread
/// @param progress hears how far an executor's tasks are, on a thread of its own
/// @param classes the application's
record ExecutorReports(
    LinkedExecutors executors,
    LargeResults results,
    Consumer<TaskUpdates> tasks,
    BiConsumer<String, List<KilnEvent.TaskProgress>> progress,
    ApplicationClasses classes)
    implements Receiver {

  @Override
  public void receive(Link from, Message message) {
    switch (message) {
      case TaskUpdates updates -> update(updates);
      case BlocksChanged(String executorId, List<BlockId> added, List<BlockId> removed) -> {
        if (executors.find(executorId).isPresent()) {
          executors.blocks().changed(executorId, added, removed);
        }
      }
      case Heartbeat(String executorId, long incarnation) ->
          executors.tellAllocation(new AllocationMessage.Heartbeat(executorId, incarnation));
      case Decommissioned(String executorId, long _) ->
          executors.tellAllocation(new ExecutorDecommissioned(executorId, "a signal told it so"));
      case Leaves(String executorId, long incarnation) ->
          executors.tellAllocation(new ExecutorLeaves(executorId, incarnation));
      case TasksProgress sent -> {
        if (executors.find(sent.executorId()).isPresent()) {
          Thread.ofVirtual()
              .name("kiln-progress-" + sent.executorId())
              .start(
                  () -> progress.accept(sent.executorId(), TaskProgressReader.of(sent, classes)));
        }
      }
      default ->
          throw new IllegalArgumentException(
              ExecutorProtocol.SCHEDULER + " takes no " + message.getClass().getSimpleName());
    }
  }

  private void update(TaskUpdates updates) {
    if (!executors.areEnding()) {
      executors
          .find(updates.executorId())
          .ifPresent(executor -> results.complete(updates, executor.data(), tasks));
    }
  }
}
