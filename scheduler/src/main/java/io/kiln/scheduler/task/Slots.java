package io.kiln.scheduler.task;

import io.kiln.base.machine.Turn;
import io.kiln.scheduler.QueueTargets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Gives waiting tasks to executors: first to idle slots, then to the executors' queues, one task a
/// time and executor, so that work spreads evenly.
///
/// How long a queue is rests on how long the set's tasks have run so far. Where that was wrong,
/// tasks wait behind long ones while slots elsewhere are idle; then what has not begun is taken
/// back ([#takeBackLate]).
///
/// Only executors on offer are looked at. One is on offer while it has idle slots, and in the turn
/// in which it reported; so a turn costs what has changed, not what there is.
final class Slots {
  /// A queue is filled up once this part of it is empty: few and large batches.
  private static final int REFILL_DIVISOR = 4;

  /// A queue that is not empty after so many times the time that it was made for is late.
  private static final int LATE_FACTOR = 2;

  private static final long NOTHING_HELD_BACK = Long.MAX_VALUE;

  private final SchedulingTree tree;
  private final RunningTasks running;
  private final QueueTargets queue;
  private final TaskReports reports;
  private final long aloneNanos;
  private final long contendedNanos;
  private final long lateNanos;
  private final List<RegisteredExecutor> offered = new ArrayList<>();
  private final List<RegisteredExecutor> refilled = new ArrayList<>();
  private long nextTaskId;
  private long round;
  private long heldBackNanos;
  private boolean queuesInUse;
  private boolean queuesWatched;

  Slots(SchedulingTree tree, RunningTasks running, QueueTargets queue, TaskReports reports) {
    this.tree = tree;
    this.running = running;
    this.queue = queue;
    this.reports = reports;
    this.aloneNanos = queue.alone().toNanos();
    this.contendedNanos = queue.contended().toNanos();
    this.lateNanos = LATE_FACTOR * Math.max(aloneNanos, contendedNanos);
  }

  void offer(RegisteredExecutor executor) {
    if (!executor.offered()) {
      executor.setOffered(true);
      offered.add(executor);
    }
  }

  /// The executor is gone.
  void withdraw(RegisteredExecutor executor) {
    executor.setOffered(false);
    offered.remove(executor);
  }

  void assign(Turn turn) {
    if (offered.isEmpty()) {
      return;
    }
    if (tree.runnable() > 0) {
      heldBackNanos = NOTHING_HELD_BACK;
      fill(offered, true, turn.nowNanos());
      chooseRefilled();
      fill(refilled, false, turn.nowNanos());
      for (int i = 0; i < offered.size(); i++) {
        offered.get(i).sendBatches(turn);
      }
      if (heldBackNanos != NOTHING_HELD_BACK) {
        turn.startTimer(
            TaskMessage.LocalityWaitOver.class,
            Duration.ofNanos(heldBackNanos),
            new TaskMessage.LocalityWaitOver());
      }
    }
    keepIdle();
    watchQueues(turn);
  }

  /// While a slot is idle, tasks that wait on executors are looked at again in a while.
  private void watchQueues(Turn turn) {
    if (queuesInUse && !queuesWatched && !offered.isEmpty()) {
      queuesWatched = true;
      turn.startTimer(
          TaskMessage.QueuesDue.class, Duration.ofNanos(lateNanos), new TaskMessage.QueuesDue());
    }
  }

  /// Asks executors for the tasks that they should have begun by now, if a slot elsewhere is idle.
  void takeBackLate(Collection<RegisteredExecutor> executors, Turn turn) {
    queuesWatched = false;
    queuesInUse = false;
    for (RegisteredExecutor executor : executors) {
      if (executor.queued() == 0) {
        continue;
      }
      queuesInUse = true;
      if (!offered.isEmpty() && turn.nowNanos() - executor.settledNanos() >= lateNanos) {
        executor.askBack(turn);
      }
    }
  }

  private void fill(List<RegisteredExecutor> executors, boolean idleSlotsOnly, long nowNanos) {
    boolean gave = true;
    while (gave && tree.runnable() > 0) {
      gave = false;
      for (int i = 0; i < executors.size(); i++) {
        gave |= give(executors.get(i), idleSlotsOnly, nowNanos);
      }
    }
  }

  private boolean give(RegisteredExecutor executor, boolean idleSlotsOnly, long nowNanos) {
    if (idleSlotsOnly && !executor.hasIdleSlot()) {
      return false;
    }
    round++;
    for (TaskSetState next = tree.next(round); next != null; next = tree.next(round)) {
      if (!idleSlotsOnly && executor.tasks() >= limit(executor, next)) {
        return false; // whose turn it is does not fit, and nobody overtakes it
      }
      int index = next.waiting().take(executor, nowNanos);
      if (index != WaitingTasks.NONE) {
        launch(next, index, executor);
        return true;
      }
      holdBack(next, nowNanos);
    }
    return false;
  }

  private void launch(TaskSetState taskSet, int index, RegisteredExecutor executor) {
    long taskId = nextTaskId++;
    int attempt = taskSet.launched(index);
    running.add(taskId, taskSet, index, attempt, executor);
    executor.launch(taskSet, taskId, taskSet.partition(index), attempt);
    queuesInUse |= executor.queued() > 0;
    if (reports.watchesTasks()) {
      reports.started(taskId, running, running.find(taskId));
    }
    if (!taskSet.isRunnable()) {
      tree.remove(taskSet);
    }
  }

  private void holdBack(TaskSetState taskSet, long nowNanos) {
    taskSet.holdBack(round);
    if (taskSet.waiting() instanceof WaitingByLocality byLocality) {
      heldBackNanos = Math.min(heldBackNanos, byLocality.nextLevelNanos(nowNanos));
    }
  }

  private void chooseRefilled() {
    refilled.clear();
    for (int i = 0; i < offered.size(); i++) {
      RegisteredExecutor executor = offered.get(i);
      TaskSetState next = tree.next(++round);
      if (next == null) {
        return;
      }
      int limit = limit(executor, next);
      int room = limit - executor.tasks();
      if (room > 0 && room >= (limit - executor.slots()) / REFILL_DIVISOR) {
        refilled.add(executor);
      }
    }
  }

  private int limit(RegisteredExecutor executor, TaskSetState taskSet) {
    long nanos = tree.runnable() == 1 ? aloneNanos : contendedNanos;
    int depth = taskSet.runTime().tasksWithin(nanos, queue.maxTasksPerSlot());
    return executor.slots() * (1 + depth);
  }

  /// One with tasks on all slots comes back with its next report.
  private void keepIdle() {
    int kept = 0;
    for (int i = 0; i < offered.size(); i++) {
      RegisteredExecutor executor = offered.get(i);
      if (executor.hasIdleSlot()) {
        offered.set(kept++, executor);
      } else {
        executor.setOffered(false);
      }
    }
    offered.subList(kept, offered.size()).clear();
  }
}
