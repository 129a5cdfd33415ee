package io.kiln.scheduler.task;

import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.StatusEvent.StageProgress;
import io.kiln.scheduler.StatusEvent.TaskSeen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What the task machine tells those who watch: counts at intervals, and single tasks on demand.
final class TaskReports {
  private static final Duration PROGRESS_INTERVAL = Duration.ofMillis(100);

  private final SchedulerAddresses addresses;
  private boolean watchTasks;
  private boolean timerRuns;
  private List<TaskSeen> started = new ArrayList<>();
  private List<TaskSeen> ended = new ArrayList<>();

  TaskReports(SchedulerAddresses addresses, boolean watchTasks) {
    this.addresses = addresses;
    this.watchTasks = watchTasks;
  }

  void watchTasks(boolean watch) {
    watchTasks = watch;
  }

  boolean watchesTasks() {
    return watchTasks && addresses.watched();
  }

  /// One timer for all task sets: a short job costs none.
  void keepReporting(Turn turn) {
    if (!timerRuns && addresses.watched()) {
      timerRuns = true;
      turn.startTimer(
          TaskMessage.ProgressDue.class, PROGRESS_INTERVAL, new TaskMessage.ProgressDue());
    }
  }

  void progressDue(Collection<TaskSetState> taskSets, Turn turn) {
    timerRuns = false;
    if (taskSets.isEmpty()) {
      return;
    }
    taskSets.forEach(taskSet -> progress(taskSet, turn));
    keepReporting(turn);
  }

  void progress(TaskSetState taskSet, Turn turn) {
    if (addresses.watched()) {
      addresses.tellWatchers(
          new StageProgress(
              taskSet.stageId(),
              taskSet.stageAttempt(),
              taskSet.running(),
              taskSet.succeeded(),
              taskSet.failed()),
          turn);
    }
  }

  /// It was given to an executor.
  void started(long taskId, RunningTasks running, int position) {
    started.add(seen(taskId, running, position, Optional.empty(), TaskMetrics.NONE));
  }

  void succeeded(Succeeded update, RunningTasks running, int position) {
    ended.add(seen(update.taskId(), running, position, Optional.empty(), update.metrics()));
  }

  void failed(TaskUpdate update, String error, RunningTasks running, int position) {
    ended.add(seen(update.taskId(), running, position, Optional.of(error), update.metrics()));
  }

  /// Sends what has been seen in this turn.
  void flush(Turn turn) {
    if (!started.isEmpty()) {
      addresses.tellWatchers(new StatusEvent.TasksStarted(started), turn);
      started = new ArrayList<>();
    }
    if (!ended.isEmpty()) {
      addresses.tellWatchers(new StatusEvent.TasksEnded(ended), turn);
      ended = new ArrayList<>();
    }
  }

  private static TaskSeen seen(
      long taskId,
      RunningTasks running,
      int position,
      Optional<String> error,
      TaskMetrics metrics) {
    TaskSetState taskSet = running.taskSet(position);
    return new TaskSeen(
        taskId,
        taskSet.stageId(),
        taskSet.stageAttempt(),
        taskSet.partition(running.index(position)),
        running.attempt(position),
        running.executor(position).id(),
        error,
        metrics);
  }
}
