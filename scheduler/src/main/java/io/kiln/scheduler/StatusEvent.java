package io.kiln.scheduler;

import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.machine.Message;
import io.kiln.scheduler.dag.JobOptions;
import java.util.List;
import java.util.Optional;

/// What the scheduler's machines tell those who watch: the status store, listeners, the progress
/// bar. Sent to one address, in order.
public sealed interface StatusEvent extends Message {

  record JobStarted(int jobId, List<StageStarted> stages, JobOptions options)
      implements StatusEvent {}

  record JobEnded(int jobId, Optional<String> error) implements StatusEvent {}

  /// @param numTasks of this attempt
  record StageStarted(int stageId, int stageAttempt, String name, int numTasks)
      implements StatusEvent {}

  record StageEnded(int stageId, int stageAttempt, Optional<String> error) implements StatusEvent {}

  /// Counts, so that a million tasks are not a million events.
  record StageProgress(int stageId, int stageAttempt, int active, int succeeded, int failed)
      implements StatusEvent {}

  /// Only where someone watches single tasks.
  record TasksStarted(List<TaskSeen> tasks) implements StatusEvent {}

  /// Only where someone watches single tasks.
  record TasksEnded(List<TaskSeen> tasks) implements StatusEvent {}

  record ExecutorAdded(String executorId, String host, int slots) implements StatusEvent {}

  /// @param why completes "the executor …"
  record ExecutorRemoved(String executorId, String why) implements StatusEvent {}

  /// Something that people should know, in one line.
  record Warning(String text) implements StatusEvent {}

  /// @param error empty if it succeeded or has only started
  /// @param metrics none if it has only started
  record TaskSeen(
      long taskId,
      int stageId,
      int stageAttempt,
      int partition,
      int attempt,
      String executorId,
      Optional<String> error,
      TaskMetrics metrics) {}
}
