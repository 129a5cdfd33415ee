package io.kiln.scheduler.task;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.CouldNotFetch;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Returned;
import io.kiln.protocol.TaskUpdate.Succeeded;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.allocation.AllocationMessage.TasksStarving;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.DagMessage.TaskSetAborted;
import io.kiln.scheduler.dag.DagMessage.TasksSucceeded;
import io.kiln.scheduler.dag.JobWait.StageAttempt;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.task.TaskMessage.CancelTaskSet;
import io.kiln.scheduler.task.TaskMessage.DropStored;
import io.kiln.scheduler.task.TaskMessage.ExecutorDecommissioned;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.ExecutorUnreachable;
import io.kiln.scheduler.task.TaskMessage.LocalityWaitOver;
import io.kiln.scheduler.task.TaskMessage.OutputsMoved;
import io.kiln.scheduler.task.TaskMessage.ProgressDue;
import io.kiln.scheduler.task.TaskMessage.QueuesDue;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.scheduler.task.TaskMessage.WatchTasks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Turns task sets into assignments to slots, tries failed tasks again, and tells the dag machine
/// what came of them.
///
/// A task is, in one attempt of its stage:
///
/// ```
///            a slot is free            Succeeded
///  waiting ────────────────► running ────────────► done
///     ▲                        │  │
///     └────────────────────────┘  └── failed too often, or for good: the task set is given up
///      Failed, Returned, or executor gone
/// ```
///
/// Task ids are never used twice; an update for a task that is not running, or from another
/// incarnation of an executor, is stale and dropped. The states of a task set are drawn at
/// [TaskSetState].
public final class TaskScheduler implements Machine<TaskMessage> {
  private final SchedulerAddresses addresses;
  private final SchedulerOptions options;
  private final Executors executors = new Executors();
  private final TaskSets taskSets = new TaskSets();
  private final RunningTasks running = new RunningTasks();
  private final SchedulingTree tree;
  private final Slots slots;
  private final TaskReports reports;
  private final List<TaskSetState> changed = new ArrayList<>();
  private int toldStarving;

  public TaskScheduler(SchedulerAddresses addresses, SchedulerOptions options) {
    this.addresses = addresses;
    this.options = options;
    this.tree = new SchedulingTree(options);
    this.reports = new TaskReports(addresses, options.watchTasks());
    this.slots = new Slots(tree, running, options.queue(), reports);
  }

  @Override
  public void handle(TaskMessage message, Turn turn) {
    switch (message) {
      case SubmitTaskSet submitted -> submit(submitted, turn);
      case CancelTaskSet cancelled -> cancel(cancelled, turn);
      case TasksUpdated(TaskUpdates report) -> update(report, turn);
      case ExecutorRegistered registered -> register(registered, turn);
      case ExecutorDecommissioned decommissioned -> decommission(decommissioned, turn);
      case OutputsMoved moved -> outputsMoved(moved, turn);
      case ExecutorUnreachable lost -> becameUnreachable(lost, turn);
      case ExecutorGone gone -> lose(gone, turn);
      case DropStored(List<Integer> rddIds) ->
          executors
              .present()
              .forEach(
                  executor ->
                      turn.send(
                          executor.address(),
                          new ExecutorMessage.DropStored(executor.incarnation(), rddIds)));
      case WatchTasks(boolean watch) -> reports.watchTasks(watch);
      case ProgressDue _ -> reports.progressDue(taskSets.all(), turn);
      case LocalityWaitOver _ -> {} // what waited is looked at below
      case QueuesDue _ -> slots.takeBackLate(executors.present(), turn);
    }
    slots.assign(turn);
    reports.flush(turn);
    if (addresses.allocation().isPresent()) {
      tellStarving(addresses.allocation().get(), turn);
    }
  }

  /// The stage attempts whose tasks run, or will; asked on the machine's own thread.
  public List<StageAttempt> underWay() {
    List<StageAttempt> underWay = new ArrayList<>();
    for (TaskSetState taskSet : taskSets.all()) {
      if (taskSet.phase() == TaskSetState.Phase.ACTIVE) {
        underWay.add(new StageAttempt(taskSet.stageId(), taskSet.stageAttempt()));
      }
    }
    return underWay;
  }

  /// Whether tasks starve: they wait, and there is nothing whose end could make room.
  private void tellStarving(Address allocation, Turn turn) {
    int starving = running.size() > 0 ? 0 : tree.waitingTasks();
    if (starving != toldStarving) {
      toldStarving = starving;
      turn.send(allocation, new TasksStarving(starving));
    }
  }

  private void submit(SubmitTaskSet submitted, Turn turn) {
    if (taskSets.find(submitted.stageId(), submitted.stageAttempt()).isPresent()) {
      return;
    }
    TaskSetState taskSet =
        new TaskSetState(submitted, waiting(submitted, turn), tree.poolOf(submitted.options()));
    taskSets.add(taskSet);
    tree.add(taskSet);
    reports.keepReporting(turn);
  }

  private WaitingTasks waiting(SubmitTaskSet submitted, Turn turn) {
    return submitted.locality() == Locality.ANYWHERE
        ? new WaitingInOrder(submitted.partitions().length)
        : new WaitingByLocality(
            submitted.partitions(),
            submitted.locality(),
            options.localityWait().toNanos(),
            executors.livePlaces(),
            turn.nowNanos());
  }

  private void cancel(CancelTaskSet cancelled, Turn turn) {
    for (TaskSetState taskSet : taskSets.upTo(cancelled.stageId(), cancelled.stageAttempt())) {
      cancel(taskSet, cancelled.interrupt(), cancelled.reason(), turn);
      endIfDone(taskSet, turn);
    }
  }

  /// Takes back what waits and kills what runs; the killed tasks keep their slots until the
  /// executors say that they are gone.
  private void cancel(TaskSetState taskSet, boolean interrupt, String reason, Turn turn) {
    if (taskSet.phase() == TaskSetState.Phase.CANCELLED) {
      return;
    }
    taskSet.cancel();
    tree.remove(taskSet);
    if (taskSet.running() == 0) {
      return;
    }
    Map<RegisteredExecutor, List<Long>> killed = new LinkedHashMap<>();
    running.forEach(
        (taskId, position) -> {
          if (running.taskSet(position) == taskSet) {
            killed.computeIfAbsent(running.executor(position), _ -> new ArrayList<>()).add(taskId);
          }
        });
    killed.keySet().removeIf(executor -> !executors.isPresent(executor));
    killed.forEach(
        (executor, taskIds) ->
            turn.send(
                executor.address(),
                new ExecutorMessage.KillTasks(
                    executor.incarnation(),
                    taskIds.stream().mapToLong(Long::longValue).toArray(),
                    interrupt,
                    reason)));
  }

  private void register(ExecutorRegistered registered, Turn turn) {
    if (!executors.isNew(registered)) {
      return;
    }
    executors
        .findKnown(registered.executorId())
        .ifPresent(replaced -> lose(replaced, "was replaced by a newer incarnation", false, turn));
    slots.offer(executors.add(registered));
  }

  private void decommission(ExecutorDecommissioned decommissioned, Turn turn) {
    executors
        .find(decommissioned.executorId(), decommissioned.incarnation())
        .filter(executor -> !executor.isLeaving())
        .ifPresent(
            executor -> {
              slots.withdraw(executor);
              executors.leave(executor);
              turn.send(
                  executor.address(), new ExecutorMessage.Decommission(executor.incarnation()));
              tellIfDrained(executor, turn);
            });
  }

  /// After the dag machine was told what its tasks have made.
  private static void tellIfDrained(RegisteredExecutor executor, Turn turn) {
    if (executor.tasks() == 0) {
      turn.send(executor.address(), new ExecutorMessage.Drained(executor.incarnation()));
    }
  }

  /// In the order of what else is said of executors: an output that was moved to one that is gone
  /// is not believed to be there for ever.
  private void outputsMoved(OutputsMoved moved, Turn turn) {
    turn.send(
        addresses.dag(),
        executors.stays(moved.to())
            ? new DagMessage.MoveOutputs(moved)
            : new DagMessage.LocateOutputs(moved.shuffleId(), moved.question(), moved.asker()));
  }

  private void becameUnreachable(ExecutorUnreachable lost, Turn turn) {
    executors
        .find(lost.executorId(), lost.incarnation())
        .ifPresent(
            executor -> {
              slots.withdraw(executor);
              executors.becameUnreachable(executor);
              turn.send(addresses.dag(), new DagMessage.ExecutorLost(executor.id(), lost.why()));
            });
  }

  private void lose(ExecutorGone gone, Turn turn) {
    executors.gone(gone.executorId(), gone.incarnation());
    executors
        .findKnown(gone.executorId())
        .filter(executor -> executor.incarnation() == gone.incarnation())
        .ifPresent(executor -> lose(executor, gone.why(), gone.byTasks(), turn));
  }

  private void lose(RegisteredExecutor executor, String why, boolean byTasks, Turn turn) {
    executors.remove(executor);
    slots.withdraw(executor);
    turn.send(addresses.dag(), new DagMessage.ExecutorLost(executor.id(), why));
    List<Long> lostTasks = new ArrayList<>();
    running.forEach(
        (taskId, position) -> {
          if (running.executor(position) == executor) {
            lostTasks.add(taskId);
          }
        });
    lostTasks.sort(null); // executors run them in this order: the first are on its slots
    int suspects = byTasks ? executor.slots() : 0;
    for (int i = 0; i < lostTasks.size(); i++) {
      TaskFailure.Kind kind =
          i < suspects ? TaskFailure.Kind.EXECUTOR_CRASHED : TaskFailure.Kind.EXECUTOR_LOST;
      failed(new Failed(lostTasks.get(i), executorLost(kind, executor, why)), turn);
    }
    finishTurn(turn);
  }

  private static TaskFailure executorLost(
      TaskFailure.Kind kind, RegisteredExecutor executor, String why) {
    return new TaskFailure(
        kind, "", "executor " + executor.id() + " was lost: it " + why, "", Optional.empty());
  }

  private void update(TaskUpdates updates, Turn turn) {
    RegisteredExecutor executor =
        executors.find(updates.executorId(), updates.incarnation()).orElse(null);
    if (executor == null) {
      return; // stale: these tasks were given up together with their executor
    }
    List<TaskUpdate> list = updates.updates();
    for (int i = 0; i < list.size(); i++) {
      switch (list.get(i)) {
        case Succeeded succeeded -> succeeded(succeeded);
        case Failed failed -> failed(failed, turn);
        case CouldNotFetch couldNotFetch -> couldNotFetch(couldNotFetch, turn);
        case Returned returned -> returned(returned);
      }
    }
    if (executor.isLeaving()) {
      finishTurn(turn);
      tellIfDrained(executor, turn);
    } else {
      slots.offer(executor);
      finishTurn(turn);
    }
  }

  private void succeeded(Succeeded update) {
    int position = running.find(update.taskId());
    if (position == RunningTasks.ABSENT) {
      return;
    }
    if (reports.watchesTasks()) {
      reports.succeeded(update, running, position);
    }
    TaskSetState taskSet = running.taskSet(position);
    RegisteredExecutor executor = running.executor(position);
    int index = running.index(position);
    running.removeAt(position);
    executor.taskEnded();
    taskSet.succeeded(index, executor.id(), update.result(), update.metrics().times().totalNanos());
    touch(taskSet);
  }

  private void failed(Failed update, Turn turn) {
    int position = running.find(update.taskId());
    if (position == RunningTasks.ABSENT) {
      return;
    }
    TaskFailure failure = update.failure();
    TaskSetState taskSet = running.taskSet(position);
    int index = running.index(position);
    int failures = endFailed(update, position, failure.message(), failure.kind().counts());
    if (taskSet.phase() != TaskSetState.Phase.ACTIVE) {
      return;
    }
    if (failure.kind().retried() && failures < options.maxTaskFailures()) {
      taskSet.retry(index);
      tree.add(taskSet);
      return;
    }
    tellSuccesses(taskSet, turn);
    turn.send(
        addresses.dag(),
        new TaskSetAborted(
            taskSet.stageId(),
            taskSet.stageAttempt(),
            taskSet.partition(index),
            failures,
            failure));
    cancel(
        taskSet,
        taskSet.options().interruptOnCancel(),
        "another task of the stage failed for good",
        turn);
  }

  private void couldNotFetch(CouldNotFetch update, Turn turn) {
    int position = running.find(update.taskId());
    if (position == RunningTasks.ABSENT) {
      return;
    }
    TaskSetState taskSet = running.taskSet(position);
    endFailed(update, position, update.why(), false);
    if (taskSet.phase() == TaskSetState.Phase.CANCELLED) {
      return;
    }
    taskSet.drain();
    tree.remove(taskSet);
    tellSuccesses(taskSet, turn);
    turn.send(
        addresses.dag(),
        new DagMessage.FetchFailed(
            taskSet.stageId(),
            taskSet.stageAttempt(),
            update.shuffleId(),
            update.mapPartition(),
            update.executorId(),
            update.why()));
  }

  private void returned(Returned update) {
    int position = running.find(update.taskId());
    if (position == RunningTasks.ABSENT) {
      return;
    }
    if (reports.watchesTasks()) {
      reports.failed(
          update, "it was taken back from an executor that had not begun it", running, position);
    }
    TaskSetState taskSet = running.taskSet(position);
    int index = running.index(position);
    running.executor(position).taskEnded();
    running.removeAt(position);
    taskSet.returned(index);
    if (taskSet.isRunnable()) {
      tree.add(taskSet);
    }
    touch(taskSet);
  }

  private int endFailed(TaskUpdate update, int position, String error, boolean counts) {
    if (reports.watchesTasks()) {
      reports.failed(update, error, running, position);
    }
    TaskSetState taskSet = running.taskSet(position);
    int index = running.index(position);
    running.executor(position).taskEnded();
    running.removeAt(position);
    touch(taskSet);
    return taskSet.failed(index, counts);
  }

  private void touch(TaskSetState taskSet) {
    if (changed.isEmpty() || (changed.getLast() != taskSet && !changed.contains(taskSet))) {
      changed.add(taskSet);
    }
  }

  private void finishTurn(Turn turn) {
    for (int i = 0; i < changed.size(); i++) {
      TaskSetState taskSet = changed.get(i);
      boolean ends = taskSet.hasEnded();
      if (ends) {
        reports.progress(taskSet, turn); // before the dag machine says that the stage has ended
      }
      tellSuccesses(taskSet, turn);
      endIfDone(taskSet, turn);
    }
    changed.clear();
    reports.flush(turn);
  }

  private void tellSuccesses(TaskSetState taskSet, Turn turn) {
    if (taskSet.hasSuccesses()) {
      turn.send(
          addresses.dag(),
          new TasksSucceeded(taskSet.stageId(), taskSet.stageAttempt(), taskSet.takeSuccesses()));
    }
  }

  private void endIfDone(TaskSetState taskSet, Turn turn) {
    if (!taskSet.hasEnded()) {
      return;
    }
    taskSets.remove(taskSet);
    for (RegisteredExecutor executor : taskSet.users()) {
      if (executors.isPresent(executor)) {
        turn.send(
            executor.address(),
            new ExecutorMessage.ForgetStage(
                executor.incarnation(), taskSet.stageId(), taskSet.stageAttempt()));
      }
    }
  }
}
