package io.kiln.scheduler.task;

import io.kiln.base.machine.Payload;
import io.kiln.scheduler.dag.DagMessage.SucceededTask;
import io.kiln.scheduler.dag.JobOptions;
import io.kiln.scheduler.task.TaskMessage.SubmitTaskSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One stage attempt on its way through the slots.
///
/// ```
///                 every task succeeded
///   Active ──────────────────────────────────────────────► (ended)
///     │  │                                                   ▲ ▲
///     │  └── a task could not fetch ──► Draining ────────────┘ │   no task runs any more
///     │                                   │                    │
///     └── cancelled, or given up ──► Cancelled ────────────────┘
/// ```
///
/// What a draining set still computes is welcome; what a cancelled one computes is dropped.
final class TaskSetState {
  enum Phase {
    ACTIVE,
    /// Takes no new tasks.
    DRAINING,
    /// Takes no new tasks, and nobody wants its results.
    CANCELLED
  }

  /// What is kept about a task that has not gone well at once.
  private static final class Trouble {
    int attempts;
    int failures;
  }

  private final SubmitTaskSet submitted;
  private final WaitingTasks waiting;
  private final Pool pool;
  private final BitSet done = new BitSet();
  private final Map<Integer, Trouble> troubles = new HashMap<>();
  private final RunTime runTime = new RunTime();
  private final List<RegisteredExecutor> users = new ArrayList<>();
  private List<SucceededTask> successes = new ArrayList<>();
  private Phase phase = Phase.ACTIVE;
  private int succeeded;
  private int running;
  private int failed;
  private long heldBackInRound;

  TaskSetState(SubmitTaskSet submitted, WaitingTasks waiting, Pool pool) {
    this.submitted = submitted;
    this.waiting = waiting;
    this.pool = pool;
  }

  Pool pool() {
    return pool;
  }

  int stageId() {
    return submitted.stageId();
  }

  int stageAttempt() {
    return submitted.stageAttempt();
  }

  int priority() {
    return submitted.priority();
  }

  Payload binary() {
    return submitted.binary();
  }

  JobOptions options() {
    return submitted.options();
  }

  int partition(int index) {
    return submitted.partitions()[index];
  }

  Phase phase() {
    return phase;
  }

  WaitingTasks waiting() {
    return waiting;
  }

  RunTime runTime() {
    return runTime;
  }

  /// On executors, running or queued.
  int running() {
    return running;
  }

  int succeeded() {
    return succeeded;
  }

  int failed() {
    return failed;
  }

  /// Whether it could give a task to some executor.
  boolean isRunnable() {
    return phase == Phase.ACTIVE && waiting.count() > 0;
  }

  boolean hasEnded() {
    return phase == Phase.ACTIVE ? succeeded == submitted.partitions().length : running == 0;
  }

  /// It has nothing for the executor whose round this is.
  void holdBack(long round) {
    heldBackInRound = round;
  }

  boolean isHeldBack(long round) {
    return heldBackInRound == round;
  }

  void drain() {
    if (phase == Phase.ACTIVE) {
      phase = Phase.DRAINING;
    }
  }

  void cancel() {
    phase = Phase.CANCELLED;
  }

  /// @return how many attempts of the task came before
  int launched(int index) {
    running++;
    pool.taskLaunched();
    if (troubles.isEmpty()) {
      return 0;
    }
    Trouble trouble = troubles.get(index);
    return trouble == null ? 0 : trouble.attempts;
  }

  /// @return whether this is news
  boolean succeeded(int index, String executorId, Payload result, long runNanos) {
    stopped();
    runTime.observe(runNanos);
    if (phase == Phase.CANCELLED || done.get(index)) {
      return false;
    }
    done.set(index);
    succeeded++;
    successes.add(new SucceededTask(partition(index), executorId, result));
    return true;
  }

  /// @param counts towards the limit of failures
  /// @return how many failures of the task count
  int failed(int index, boolean counts) {
    stopped();
    failed++;
    Trouble trouble = troubles.computeIfAbsent(index, _ -> new Trouble());
    trouble.attempts++;
    if (counts) {
      trouble.failures++;
    }
    return trouble.failures;
  }

  /// An executor has given the task back, as it took longer to come to it than was expected.
  void returned(int index) {
    stopped();
    runTime.forget();
    retry(index);
  }

  /// The task waits again, if anybody still wants it.
  void retry(int index) {
    if (phase == Phase.ACTIVE && !done.get(index)) {
      waiting.giveBack(index);
    }
  }

  private void stopped() {
    running--;
    pool.taskEnded();
  }

  boolean hasSuccesses() {
    return !successes.isEmpty();
  }

  /// The successes since the last call.
  List<SucceededTask> takeSuccesses() {
    List<SucceededTask> taken = successes;
    successes = new ArrayList<>();
    return taken;
  }

  /// The executor has its binary.
  void usedBy(RegisteredExecutor executor) {
    if (users.isEmpty() || (users.getLast() != executor && !users.contains(executor))) {
      users.add(executor);
    }
  }

  List<RegisteredExecutor> users() {
    return users;
  }
}
