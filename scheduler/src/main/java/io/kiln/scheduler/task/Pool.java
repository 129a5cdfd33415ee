package io.kiln.scheduler.task;

import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.SchedulingMode;
import java.util.ArrayList;
import java.util.List;

/// Task sets that share a pool's slots. Only those with tasks to give stand in it.
final class Pool {
  private final PoolSpec spec;
  private final List<TaskSetState> runnable = new ArrayList<>();
  private int running;

  Pool(PoolSpec spec) {
    this.spec = spec;
  }

  String name() {
    return spec.name();
  }

  void taskLaunched() {
    running++;
  }

  void taskEnded() {
    running--;
  }

  void add(TaskSetState taskSet) {
    int position = runnable.size();
    while (position > 0 && isOlder(taskSet, runnable.get(position - 1))) {
      position--;
    }
    runnable.add(position, taskSet);
  }

  boolean remove(TaskSetState taskSet) {
    return runnable.remove(taskSet);
  }

  boolean contains(TaskSetState taskSet) {
    return runnable.contains(taskSet);
  }

  int waitingTasks() {
    int waiting = 0;
    for (TaskSetState taskSet : runnable) {
      waiting += taskSet.waiting().count();
    }
    return waiting;
  }

  /// @return the task set whose turn it is, or null if every one is held back in this round
  TaskSetState next(long round) {
    TaskSetState best = null;
    for (int i = 0; i < runnable.size(); i++) {
      TaskSetState candidate = runnable.get(i);
      if (candidate.isHeldBack(round)) {
        continue;
      }
      if (spec.mode() == SchedulingMode.FIFO) {
        return candidate;
      }
      if (best == null || candidate.running() < best.running()) {
        best = candidate;
      }
    }
    return best;
  }

  /// Pools below their minimum go first, the emptiest first; then the one with the fewest tasks for
  /// its weight.
  boolean goesBefore(Pool other) {
    boolean needy = running < spec.minShare();
    boolean otherNeedy = other.running < other.spec.minShare();
    if (needy != otherNeedy) {
      return needy;
    }
    long share = (long) running * (needy ? other.spec.minShare() : other.spec.weight());
    long otherShare = (long) other.running * (needy ? spec.minShare() : spec.weight());
    return share != otherShare ? share < otherShare : name().compareTo(other.name()) < 0;
  }

  private static boolean isOlder(TaskSetState one, TaskSetState other) {
    if (one.priority() != other.priority()) {
      return one.priority() < other.priority();
    }
    return one.stageId() != other.stageId()
        ? one.stageId() < other.stageId()
        : one.stageAttempt() < other.stageAttempt();
  }
}
