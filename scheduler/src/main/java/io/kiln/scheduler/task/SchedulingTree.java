package io.kiln.scheduler.task;

import io.kiln.scheduler.PoolSpec;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;
import io.kiln.scheduler.dag.JobOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Whose turn it is: root, pools, task sets. In FIFO mode all share one pool.
final class SchedulingTree {
  private final SchedulingMode mode;
  private final Map<String, Pool> pools = new HashMap<>();
  private final List<Pool> poolsInOrder = new ArrayList<>();
  private int runnable;

  SchedulingTree(SchedulerOptions options) {
    this.mode = options.mode();
    if (mode == SchedulingMode.FIFO) {
      addPool(PoolSpec.unconfigured("root"));
    } else {
      options.pools().forEach(this::addPool);
    }
  }

  /// The pool that a task set with these options belongs to; one that nobody configured is created.
  Pool poolOf(JobOptions options) {
    if (mode == SchedulingMode.FIFO) {
      return poolsInOrder.getFirst();
    }
    Pool known = pools.get(options.pool());
    return known != null ? known : addPool(PoolSpec.unconfigured(options.pool()));
  }

  void add(TaskSetState taskSet) {
    Pool pool = taskSet.pool();
    if (!pool.contains(taskSet)) {
      pool.add(taskSet);
      runnable++;
    }
  }

  void remove(TaskSetState taskSet) {
    if (taskSet.pool().remove(taskSet)) {
      runnable--;
    }
  }

  /// How many task sets have tasks to give.
  int runnable() {
    return runnable;
  }

  /// How many tasks have no slot, in all pools.
  int waitingTasks() {
    int waiting = 0;
    for (Pool pool : poolsInOrder) {
      waiting += pool.waitingTasks();
    }
    return waiting;
  }

  /// @return the task set whose turn it is, or null if every one is held back in this round
  TaskSetState next(long round) {
    TaskSetState best = null;
    Pool bestPool = null;
    for (int i = 0; i < poolsInOrder.size(); i++) {
      Pool pool = poolsInOrder.get(i);
      if (best != null && !pool.goesBefore(bestPool)) {
        continue;
      }
      TaskSetState candidate = pool.next(round);
      if (candidate != null) {
        best = candidate;
        bestPool = pool;
      }
    }
    return best;
  }

  private Pool addPool(PoolSpec spec) {
    Pool pool = new Pool(spec);
    if (pools.put(spec.name(), pool) == null) {
      poolsInOrder.add(pool);
    } else {
      poolsInOrder.replaceAll(p -> p.name().equals(spec.name()) ? pool : p);
    }
    return pool;
  }
}
