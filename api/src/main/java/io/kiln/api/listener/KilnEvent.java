package io.kiln.api.listener;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Something that a [KilnListener] hears of. Times are milliseconds since the epoch.
public sealed interface KilnEvent {

  record ApplicationStarted(String applicationId, String name, long timeMillis)
      implements KilnEvent {}

  record ApplicationEnded(long timeMillis) implements KilnEvent {}

  record JobStarted(
      int jobId, long timeMillis, List<StageInfo> stages, Map<String, String> properties)
      implements KilnEvent {}

  /// @param error says why it failed; empty if it succeeded
  record JobEnded(int jobId, long timeMillis, Optional<String> error) implements KilnEvent {}

  record StageSubmitted(StageInfo stage, long timeMillis) implements KilnEvent {}

  /// @param error says why it failed; empty if it succeeded
  record StageCompleted(StageInfo stage, long timeMillis, Optional<String> error)
      implements KilnEvent {}

  record TaskStarted(TaskInfo task, long timeMillis) implements KilnEvent {}

  /// @param metrics are [TaskMetrics#NONE] if the task's executor was lost
  /// @param error says why it failed; empty if it succeeded
  record TaskEnded(TaskInfo task, TaskMetrics metrics, long timeMillis, Optional<String> error)
      implements KilnEvent {}

  /// An executor can take tasks. Listeners do not hear this in local mode.
  record ExecutorAdded(String executorId, String host, int slots, long timeMillis)
      implements KilnEvent {}

  /// @param reason completes "the executor …"
  record ExecutorRemoved(String executorId, String reason, long timeMillis) implements KilnEvent {}

  /// An executor reports how far its running tasks are. It does so every
  /// `spark.executor.heartbeatInterval`, for tasks that began while somebody listened. The
  /// context's accumulators change only when a task has succeeded.
  ///
  /// @param tasks the tasks that ran at that time and have not ended since; not empty
  record ExecutorMetricsUpdate(String executorId, List<TaskProgress> tasks, long timeMillis)
      implements KilnEvent {}

  record RddUnpersisted(int rddId) implements KilnEvent {}

  /// @param name of the RDD's operation, with the line of the program that called it
  record StageInfo(int stageId, int attempt, String name, int numTasks) {}

  /// @param metrics what the task has used so far
  /// @param accumulators those that the task has added to. Values that can't be copied or are too
  ///     large are left out
  record TaskProgress(TaskInfo task, TaskMetrics metrics, List<AccumulatorValue> accumulators) {}

  /// The value that one task alone has added to an accumulator.
  record AccumulatorValue(long id, Optional<String> name, Object value) {}

  record TaskInfo(
      long taskId, int stageId, int stageAttempt, int partition, int attempt, String executorId) {}
}
