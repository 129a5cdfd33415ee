package io.kiln.api.listener;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a [KilnListener] hears. Times are milliseconds since the epoch.
public sealed interface KilnEvent {

  record ApplicationStarted(String applicationId, String name, long timeMillis)
      implements KilnEvent {}

  record ApplicationEnded(long timeMillis) implements KilnEvent {}

  record JobStarted(
      int jobId, long timeMillis, List<StageInfo> stages, Map<String, String> properties)
      implements KilnEvent {}

  /// @param error why it failed; empty if it succeeded
  record JobEnded(int jobId, long timeMillis, Optional<String> error) implements KilnEvent {}

  record StageSubmitted(StageInfo stage, long timeMillis) implements KilnEvent {}

  /// @param error why it failed; empty if it succeeded
  record StageCompleted(StageInfo stage, long timeMillis, Optional<String> error)
      implements KilnEvent {}

  record TaskStarted(TaskInfo task, long timeMillis) implements KilnEvent {}

  /// @param metrics of a task whose executor was lost: none
  /// @param error why it failed; empty if it succeeded
  record TaskEnded(TaskInfo task, TaskMetrics metrics, long timeMillis, Optional<String> error)
      implements KilnEvent {}

  /// An executor can take tasks. Not told in local mode.
  record ExecutorAdded(String executorId, String host, int slots, long timeMillis)
      implements KilnEvent {}

  /// @param reason completes "the executor …"
  record ExecutorRemoved(String executorId, String reason, long timeMillis) implements KilnEvent {}

  /// How far an executor's running tasks are; every `spark.executor.heartbeatInterval`, for tasks
  /// that began while somebody listened. What a task counts enters its accumulators when it has
  /// succeeded, and not before.
  ///
  /// @param tasks those that ran at that time and have not ended since; not empty
  record ExecutorMetricsUpdate(String executorId, List<TaskProgress> tasks, long timeMillis)
      implements KilnEvent {}

  record RddUnpersisted(int rddId) implements KilnEvent {}

  /// @param name of the RDD's operation, with the user's line that called it
  record StageInfo(int stageId, int attempt, String name, int numTasks) {}

  /// @param metrics so far
  /// @param accumulators those that it has added to, as far as their values can be had and are not
  ///     too large
  record TaskProgress(TaskInfo task, TaskMetrics metrics, List<AccumulatorValue> accumulators) {}

  /// What one task alone has added.
  record AccumulatorValue(long id, Optional<String> name, Object value) {}

  record TaskInfo(
      long taskId, int stageId, int stageAttempt, int partition, int attempt, String executorId) {}
}
