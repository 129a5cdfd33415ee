package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ExecutorReport;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ToWorker.ExecutorStateKnown;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.worker.RunnerOrder.RemoveApplicationDirectories;
import io.kiln.cluster.worker.RunnerOrder.StartExecutor;
import io.kiln.cluster.worker.RunnerOrder.StopExecutor;
import io.kiln.cluster.worker.WorkerEvent.ExecutorEnded;
import io.kiln.cluster.worker.WorkerEvent.ExecutorStarted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The executors of a worker: those that run, and those that ended and of which the master does not
/// know that yet. Mutable, the worker's thread only.
final class ExecutorRuns {
  private record Key(String applicationId, int executorId) {}

  private static final class Run {
    final Key key;
    final int cores;
    final int memoryMebibytes;
    final Optional<ApplicationDescription> application;
    ExecutorState state = ExecutorState.LAUNCHING;
    Optional<String> message = Optional.empty();
    Optional<Integer> exitCode = Optional.empty();
    boolean stopping;
    boolean told = true;

    Run(LaunchExecutor launch) {
      this.key = new Key(launch.applicationId(), launch.executorId());
      this.cores = launch.cores();
      this.memoryMebibytes = launch.memoryMebibytes();
      this.application = Optional.of(launch.application());
    }

    /// One that never ran here.
    Run(Key key) {
      this.key = key;
      this.cores = 0;
      this.memoryMebibytes = 0;
      this.application = Optional.empty();
    }

    Optional<WorkerStatus.Executor> status() {
      return application.map(
          known ->
              new WorkerStatus.Executor(
                  key.applicationId(), key.executorId(), memoryMebibytes, state, known));
    }

    void end(ExecutorState finalState, String why, Optional<Integer> code) {
      state = finalState;
      message = Optional.of(why);
      exitCode = code;
    }

    ExecutorReport toReport() {
      return new ExecutorReport(
          key.applicationId(), key.executorId(), cores, memoryMebibytes, state, message, exitCode);
    }
  }

  private final Address runner;
  private final Capacity capacity;
  private final Reporter reporter;
  private final boolean cleansUp;
  private final Map<Key, Run> runs = new LinkedHashMap<>();
  private final int retained;
  private final Deque<WorkerStatus.Executor> finished = new ArrayDeque<>();

  /// Those that are over, and whose executors have not all ended.
  private final Set<String> finishing = new HashSet<>();

  /// @param cleansUp whether directories of applications that are over go
  /// @param retained how many executors that ended are told of
  ExecutorRuns(
      Address runner, Capacity capacity, Reporter reporter, boolean cleansUp, int retained) {
    this.runner = runner;
    this.capacity = capacity;
    this.reporter = reporter;
    this.cleansUp = cleansUp;
    this.retained = retained;
  }

  /// @param refusal why nothing is started any more; empty if it is
  void launch(LaunchExecutor launch, String masterUrl, String refusal, Turn turn) {
    Key key = new Key(launch.applicationId(), launch.executorId());
    Run known = runs.get(key);
    if (known != null) {
      reporter.tell(known.toReport(), turn);
      return;
    }
    Run run = new Run(launch);
    runs.put(key, run);
    if (!refusal.isEmpty() || !capacity.has(run.cores, run.memoryMebibytes)) {
      String why = refusal.isEmpty() ? "the worker has only " + capacity : refusal;
      run.end(ExecutorState.KILLED, "was not started: " + why, Optional.empty());
      tell(run, turn);
      return;
    }
    capacity.take(run.cores, run.memoryMebibytes);
    turn.send(
        runner,
        new StartExecutor(
            key.applicationId(),
            key.executorId(),
            launch.application(),
            run.cores,
            run.memoryMebibytes,
            masterUrl));
  }

  void kill(KillExecutor kill, Turn turn) {
    Key key = new Key(kill.applicationId(), kill.executorId());
    Run run = runs.get(key);
    if (run == null) {
      Run gone = new Run(key);
      gone.end(ExecutorState.KILLED, "does not run here", Optional.empty());
      runs.put(key, gone);
      tell(gone, turn);
    } else {
      stop(run, kill.reason(), turn);
    }
  }

  private void stop(Run run, String reason, Turn turn) {
    if (!run.stopping && !run.state.isFinal()) {
      run.stopping = true;
      turn.send(runner, new StopExecutor(run.key.applicationId(), run.key.executorId(), reason));
    }
  }

  void stopAll(String reason, Turn turn) {
    runs.values().forEach(run -> stop(run, reason, turn));
  }

  void applicationFinished(String applicationId, Turn turn) {
    finishing.add(applicationId);
    for (Run run : List.copyOf(runs.values())) {
      if (run.key.applicationId().equals(applicationId)) {
        stop(run, "its application is over", turn);
      }
    }
    removeDirectories(applicationId, turn);
  }

  private void removeDirectories(String applicationId, Turn turn) {
    boolean someRun =
        runs.values().stream()
            .anyMatch(run -> run.key.applicationId().equals(applicationId) && !run.state.isFinal());
    if (!someRun && finishing.remove(applicationId) && cleansUp) {
      turn.send(runner, new RemoveApplicationDirectories(applicationId));
    }
  }

  void started(ExecutorStarted started, Turn turn) {
    Run run = runs.get(new Key(started.applicationId(), started.executorId()));
    if (run != null && run.state == ExecutorState.LAUNCHING) {
      run.state = ExecutorState.RUNNING;
      tell(run, turn);
    }
  }

  /// @param decommissioned whether executors were told to go
  void ended(ExecutorEnded ended, boolean decommissioned, Turn turn) {
    Run run = runs.get(new Key(ended.applicationId(), ended.executorId()));
    if (run == null || run.state.isFinal()) {
      return;
    }
    capacity.giveBack(run.cores, run.memoryMebibytes);
    ExecutorState state;
    if (run.stopping) {
      state = ExecutorState.KILLED;
    } else if (decommissioned) {
      state = ExecutorState.DECOMMISSIONED;
    } else {
      state = ended.exitCode().isPresent() ? ExecutorState.EXITED : ExecutorState.FAILED;
    }
    run.end(state, ended.message(), ended.exitCode());
    run.status().ifPresent(finished::addFirst);
    if (finished.size() > retained) {
      finished.removeLast();
    }
    tell(run, turn);
    removeDirectories(ended.applicationId(), turn);
  }

  private void tell(Run run, Turn turn) {
    run.told = false;
    reporter.tell(run.toReport(), turn);
  }

  /// Says again what the master has not acknowledged.
  void remind(Turn turn) {
    for (Run run : runs.values()) {
      if (!run.told) {
        reporter.tell(run.toReport(), turn);
      }
    }
  }

  void known(ExecutorStateKnown known) {
    Key key = new Key(known.applicationId(), known.executorId());
    Run run = runs.get(key);
    if (run != null && run.state == known.state()) {
      run.told = true;
      if (run.state.isFinal()) {
        runs.remove(key);
      }
    }
  }

  List<ExecutorReport> reports() {
    return runs.values().stream().map(Run::toReport).toList();
  }

  List<WorkerStatus.Executor> running() {
    return runs.values().stream()
        .filter(run -> !run.state.isFinal())
        .flatMap(run -> run.status().stream())
        .toList();
  }

  /// The newest first.
  List<WorkerStatus.Executor> finished() {
    return List.copyOf(finished);
  }

  boolean someRun() {
    return runs.values().stream().anyMatch(run -> !run.state.isFinal());
  }

  /// Of executors that run.
  List<String> applications() {
    return runs.values().stream()
        .filter(run -> !run.state.isFinal())
        .map(run -> run.key.applicationId())
        .distinct()
        .toList();
  }
}
