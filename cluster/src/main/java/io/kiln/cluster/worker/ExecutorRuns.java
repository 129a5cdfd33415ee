package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The executors of a worker; their states are drawn at [ExecutorRun]. The directories of an
/// application go when it is over and its last executor here has ended. Mutable, the worker's
/// thread only.
final class ExecutorRuns {
  private final Address runner;
  private final Capacity capacity;
  private final boolean cleansUp;
  private final int retained;
  private final Runs<ExecutorRun.Key, ExecutorStatus, ExecutorRun> runs;
  private final Deque<WorkerStatus.Executor> finished = new ArrayDeque<>();

  /// Applications that are over, and whose executors have not all ended.
  private final Set<String> finishing = new HashSet<>();

  /// @param cleansUp whether directories of applications that are over go
  /// @param retained how many executors that ended are told of
  ExecutorRuns(
      Address runner,
      Capacity capacity,
      Reporter<ExecutorStatus> reporter,
      boolean cleansUp,
      int retained) {
    this.runner = runner;
    this.capacity = capacity;
    this.cleansUp = cleansUp;
    this.retained = retained;
    this.runs = new Runs<>(capacity, reporter);
  }

  /// @param refusal why nothing is started any more; empty if it is
  void launch(LaunchExecutor launch, String masterUrl, String refusal, Turn turn) {
    ExecutorRun run = ExecutorRun.of(launch);
    Optional<ExecutorRun> known = runs.find(run.key());
    if (known.isPresent()) {
      runs.reportAgain(known.get(), turn);
    } else if (!refusal.isEmpty()) {
      refuse(run, refusal, turn);
    } else if (!capacity.has(run.cores(), run.memoryMebibytes())) {
      refuse(run, "the worker has only " + capacity, turn);
    } else {
      runs.start(run);
      turn.send(
          runner,
          new StartExecutor(
              launch.applicationId(),
              launch.executorId(),
              launch.application(),
              launch.cores(),
              launch.memoryMebibytes(),
              masterUrl));
    }
  }

  private void refuse(ExecutorRun run, String why, Turn turn) {
    run.end(ExecutorState.KILLED, "was not started: " + why, Optional.empty());
    runs.addEnded(run, turn);
  }

  void kill(KillExecutor kill, Turn turn) {
    ExecutorRun.Key key = new ExecutorRun.Key(kill.applicationId(), kill.executorId());
    runs.find(key)
        .ifPresentOrElse(
            run -> stop(run, kill.reason(), turn),
            () -> runs.addEnded(ExecutorRun.unknown(key), turn));
  }

  private void stop(ExecutorRun run, String reason, Turn turn) {
    if (!run.isStopping() && !run.hasEnded()) {
      run.stop();
      turn.send(
          runner, new StopExecutor(run.key().applicationId(), run.key().executorId(), reason));
    }
  }

  void stopAll(String reason, Turn turn) {
    runs.active().forEach(run -> stop(run, reason, turn));
  }

  void applicationFinished(String applicationId, Turn turn) {
    finishing.add(applicationId);
    for (ExecutorRun run : runs.active()) {
      if (run.key().applicationId().equals(applicationId)) {
        stop(run, "its application is over", turn);
      }
    }
    removeDirectories(applicationId, turn);
  }

  private void removeDirectories(String applicationId, Turn turn) {
    if (!applications().contains(applicationId) && finishing.remove(applicationId) && cleansUp) {
      turn.send(runner, new RemoveApplicationDirectories(applicationId));
    }
  }

  void started(ExecutorStarted started, Turn turn) {
    runs.find(new ExecutorRun.Key(started.applicationId(), started.executorId()))
        .filter(run -> run.state() == ExecutorState.LAUNCHING)
        .ifPresent(
            run -> {
              run.run();
              runs.changed(run, turn);
            });
  }

  /// @param decommissioned whether executors were told to go
  void ended(ExecutorEnded ended, boolean decommissioned, Turn turn) {
    runs.find(new ExecutorRun.Key(ended.applicationId(), ended.executorId()))
        .filter(run -> !run.hasEnded())
        .ifPresent(
            run -> {
              run.end(howEnded(run, ended, decommissioned), ended.message(), ended.exitCode());
              run.status().ifPresent(finished::addFirst);
              if (finished.size() > retained) {
                finished.removeLast();
              }
              runs.ended(run, turn);
              removeDirectories(ended.applicationId(), turn);
            });
  }

  private static ExecutorState howEnded(
      ExecutorRun run, ExecutorEnded ended, boolean decommissioned) {
    if (run.isStopping()) {
      return ExecutorState.KILLED;
    }
    if (decommissioned) {
      return ExecutorState.DECOMMISSIONED;
    }
    return ended.exitCode().isPresent() ? ExecutorState.EXITED : ExecutorState.FAILED;
  }

  void reportUnacknowledged(Turn turn) {
    runs.reportUnacknowledged(turn);
  }

  void acknowledged(ExecutorStateKnown known) {
    runs.find(new ExecutorRun.Key(known.applicationId(), known.executorId()))
        .filter(run -> run.state() == known.state())
        .ifPresent(runs::acknowledged);
  }

  List<ExecutorStatus> reports() {
    return runs.reports();
  }

  List<WorkerStatus.Executor> running() {
    return runs.active().stream().flatMap(run -> run.status().stream()).toList();
  }

  /// The newest first.
  List<WorkerStatus.Executor> finished() {
    return List.copyOf(finished);
  }

  boolean hasActive() {
    return runs.hasActive();
  }

  /// Of executors that run.
  List<String> applications() {
    return runs.active().stream().map(run -> run.key().applicationId()).distinct().toList();
  }
}
