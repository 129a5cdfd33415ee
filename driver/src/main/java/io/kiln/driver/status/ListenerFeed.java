package io.kiln.driver.status;

import io.kiln.api.StageStatus;
import io.kiln.api.listener.KilnEvent;
import io.kiln.scheduler.StatusEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Makes listeners' events of the scheduler's. Used by the thread that brings the scheduler's
/// events, and only while there are listeners; [#progress] and [#forget] by any.
final class ListenerFeed {
  private final ListenerBus bus;
  private final StatusStore store;

  // guarded by itself; what is posted while holding it is in order
  private final Set<Long> running = new HashSet<>();

  ListenerFeed(ListenerBus bus, StatusStore store) {
    this.bus = bus;
    this.store = store;
  }

  /// The store has seen the event already.
  void accept(StatusEvent event, long nowMillis) {
    switch (event) {
      case StatusEvent.JobStarted(int jobId, var stages, var options) -> {
        List<KilnEvent.StageInfo> infos = new ArrayList<>(stages.size());
        for (StatusEvent.StageStarted stage : stages) {
          infos.add(info(stage));
        }
        bus.post(
            new KilnEvent.JobStarted(jobId, nowMillis, List.copyOf(infos), options.properties()));
      }
      case StatusEvent.JobEnded(int jobId, var error) ->
          bus.post(new KilnEvent.JobEnded(jobId, nowMillis, error));
      case StatusEvent.StageStarted stage ->
          bus.post(new KilnEvent.StageSubmitted(info(stage), nowMillis));
      case StatusEvent.StageEnded(int stageId, int attempt, var error) ->
          bus.post(new KilnEvent.StageCompleted(info(stageId, attempt), nowMillis, error));
      case StatusEvent.StageProgress _, StatusEvent.Warning _ -> {}
      case StatusEvent.ExecutorAdded(String id, String host, int slots) ->
          bus.post(new KilnEvent.ExecutorAdded(id, host, slots, nowMillis));
      case StatusEvent.ExecutorRemoved(String id, String why) ->
          bus.post(new KilnEvent.ExecutorRemoved(id, why, nowMillis));
      case StatusEvent.TasksStarted(var tasks) -> {
        for (StatusEvent.TaskSeen task : tasks) {
          bus.post(new KilnEvent.TaskStarted(info(task), nowMillis));
        }
        synchronized (running) {
          tasks.forEach(task -> running.add(task.taskId()));
        }
      }
      case StatusEvent.TasksEnded(var tasks) -> {
        for (StatusEvent.TaskSeen task : tasks) {
          synchronized (running) {
            running.remove(task.taskId());
          }
          bus.post(new KilnEvent.TaskEnded(info(task), task.metrics(), nowMillis, task.error()));
        }
      }
    }
  }

  /// What an executor says of its tasks, if they have not ended since.
  void progress(String executorId, List<KilnEvent.TaskProgress> tasks, long nowMillis) {
    synchronized (running) {
      List<KilnEvent.TaskProgress> current =
          tasks.stream().filter(task -> running.contains(task.task().taskId())).toList();
      if (!current.isEmpty()) {
        bus.post(new KilnEvent.ExecutorMetricsUpdate(executorId, current, nowMillis));
      }
    }
  }

  /// Nobody listens any more.
  void forget() {
    synchronized (running) {
      running.clear();
    }
  }

  private static KilnEvent.StageInfo info(StatusEvent.StageStarted stage) {
    return new KilnEvent.StageInfo(
        stage.stageId(), stage.stageAttempt(), stage.name(), stage.numTasks());
  }

  private KilnEvent.StageInfo info(int stageId, int attempt) {
    Optional<StageStatus> stage = store.stage(stageId);
    return new KilnEvent.StageInfo(
        stageId,
        attempt,
        stage.map(StageStatus::name).orElse(""),
        stage.map(StageStatus::numTasks).orElse(0));
  }

  private static KilnEvent.TaskInfo info(StatusEvent.TaskSeen task) {
    return new KilnEvent.TaskInfo(
        task.taskId(),
        task.stageId(),
        task.stageAttempt(),
        task.partition(),
        task.attempt(),
        task.executorId());
  }
}
