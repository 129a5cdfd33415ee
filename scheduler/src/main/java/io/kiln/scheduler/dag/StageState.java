package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A stage that some job has in its graph.
///
/// ```
///            all its parents' outputs are there       all its partitions are there
///   Waiting ──────────────────────────────────► Running ─────────────────────────► Complete
///    ▲ ▲ ▲                                       │   │                               │
///    │ │ └────── a parent's output was lost ─────┘   │                               │
///    │ │            (fetch failure: counts)          │                               │
///    │ └──── all tasks ended, outputs lost meanwhile ┘                               │
///    └──────────────────────────── its outputs were lost ────────────────────────────┘
/// ```
///
/// Where a task misses what the stage's plan spared, its jobs are planned anew before it starts
/// again. Each way into Running is a new attempt. Complete is not remembered but asked of the
/// outputs. An indeterminate stage that computes outputs again takes back all that was computed
/// from the old ones: see [IndeterminateStages].
abstract sealed class StageState permits MapStageState, ResultStageState {
  sealed interface Phase {}

  /// No attempt takes new tasks; those of an earlier attempt may still run.
  record Waiting() implements Phase {}

  static final class Running implements Phase {
    private final int attempt;
    private int tasksLeft;

    Running(int attempt, int tasks) {
      this.attempt = attempt;
      this.tasksLeft = tasks;
    }

    int attempt() {
      return attempt;
    }

    /// @return whether every task of the attempt has succeeded
    boolean tasksSucceeded(int count) {
      tasksLeft -= count;
      return tasksLeft == 0;
    }

    int tasksLeft() {
      return tasksLeft;
    }
  }

  /// As the newest plan has it.
  private Stage stage;

  /// Shuffles that the plan spared and a task needed.
  private final SortedSet<Integer> missed = new TreeSet<>();

  /// Ids of the jobs that have it in their graphs.
  private final SortedSet<Integer> jobs = new TreeSet<>();

  private Phase phase = new Waiting();
  private int latestAttempt = -1;
  private int payer;
  private int lostInputs;
  private boolean abandonedTasks;

  StageState(Stage stage) {
    this.stage = stage;
  }

  Stage stage() {
    return stage;
  }

  /// A newer plan tells what it reads, and how.
  void plan(Stage newest) {
    stage = newest;
  }

  int id() {
    return stage.stageId();
  }

  /// Whether what the stage computes comes from one of the shuffles.
  boolean comesFrom(Collection<Integer> shuffleIds) {
    return shuffleIds.stream().anyMatch(stage.inputs()::comeFrom);
  }

  /// The output of a shuffle that it may read is not there.
  void miss(int shuffleId) {
    if (stage.inputs().spared().contains(shuffleId)) {
      missed.add(shuffleId);
    }
  }

  /// What it has missed and is spared all the same: with this plan it can't go on.
  List<Integer> missedInputs() {
    return missed.isEmpty()
        ? List.of()
        : missed.stream().filter(stage.inputs().spared()::contains).toList();
  }

  SortedSet<Integer> jobs() {
    return jobs;
  }

  /// The job that hears of the tasks: the one for which the stage was started, or, if that one has
  /// ended, another one that has it.
  int payer() {
    return jobs.contains(payer) ? payer : jobs.getFirst();
  }

  Phase phase() {
    return phase;
  }

  /// The newest attempt there was, or -1.
  int latestAttempt() {
    return latestAttempt;
  }

  boolean isRunning() {
    return phase instanceof Running;
  }

  boolean isRunning(int attempt) {
    return phase instanceof Running running && running.attempt() == attempt;
  }

  /// Whether executors may have tasks of it that nobody waits for once it is complete.
  boolean mayHaveTasks() {
    return abandonedTasks || (phase instanceof Running running && running.tasksLeft() > 0);
  }

  abstract boolean isComplete();

  abstract int[] missingPartitions();

  /// Whether what tasks of this attempt have computed is welcome.
  abstract boolean accepts(int stageAttempt);

  /// What attempts up to now still compute is not welcome any more.
  abstract void refuseEarlierAttempts();

  /// @return a number that no attempt of the stage has had
  abstract int takeAttempt();

  /// @param jobId whose properties and pool the attempt runs with
  Running start(int jobId, int tasks) {
    payer = jobId;
    Running running = new Running(takeAttempt(), tasks);
    latestAttempt = running.attempt();
    phase = running;
    return running;
  }

  /// Every task of the attempt has ended.
  void stop() {
    phase = new Waiting();
  }

  /// The attempt takes no new tasks, but has some.
  void abandon() {
    phase = new Waiting();
    abandonedTasks = true;
  }

  void tasksKilled() {
    abandonedTasks = false;
  }

  /// @return how many attempts in a row have lost their input
  int inputLost() {
    return ++lostInputs;
  }

  int lostInputs() {
    return lostInputs;
  }

  void completed() {
    phase = new Waiting();
    lostInputs = 0;
    missed.clear();
  }

  /// For people.
  String describe() {
    return "stage " + id() + " (" + stage.name() + ")";
  }
}
