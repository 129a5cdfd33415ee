package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker.DriverStateKnown;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.worker.DriverRun.State.Ended;
import io.kiln.cluster.worker.DriverRun.State.Running;
import io.kiln.cluster.worker.DriverRun.State.Stopping;
import io.kiln.cluster.worker.DriverRun.State.Waiting;
import io.kiln.cluster.worker.DriverRun.StopCause;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.cluster.worker.RunnerOrder.StopDriver;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.RestartDue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The drivers of a worker; their states are drawn at [DriverRun]. A supervised one that fails is
/// started again, after a time that doubles; a run of more than five seconds ends the row. Mutable,
/// the worker's thread only.
final class DriverRuns {
  private final Address runner;
  private final Capacity capacity;
  private final Runs<DriverRun.Key, DriverReport, DriverRun> runs;

  /// Whether one that was given back is not here any more, since [#giveBack] was asked last.
  private boolean hasGivenBack;

  DriverRuns(Address runner, Capacity capacity, Reporter<DriverReport> reporter) {
    this.runner = runner;
    this.capacity = capacity;
    this.runs = new Runs<>(capacity, reporter);
  }

  /// One that can't be started here is left out: the master learns that the worker does not know
  /// it, when that registers again.
  ///
  /// @return whether it is known now
  boolean launch(LaunchDriver launch, Turn turn) {
    DriverRun run = new DriverRun(launch, turn.nowNanos());
    Optional<DriverRun> known = runs.find(run.key());
    if (known.isPresent()) {
      runs.reportAgain(known.get(), turn);
      return true;
    }
    if (!capacity.has(run.cores(), run.memoryMebibytes())) {
      return false;
    }
    runs.start(run);
    sendStart(run, turn);
    return true;
  }

  private void sendStart(DriverRun run, Turn turn) {
    turn.send(
        runner,
        new StartDriver(
            run.key().driverId(),
            run.key().launch(),
            run.attempt(),
            run.description(),
            run.secret()));
  }

  void started(DriverStarted started, Turn turn) {
    find(started.driverId(), started.launch(), started.attempt())
        .filter(run -> !run.hasEnded() && !run.isWaiting())
        .ifPresent(
            run -> {
              run.started(turn.nowNanos());
              runs.changed(run, turn);
            });
  }

  private Optional<DriverRun> find(String driverId, int launch, int attempt) {
    return runs.find(new DriverRun.Key(driverId, launch)).filter(run -> run.attempt() == attempt);
  }

  void ended(DriverEnded ended, Turn turn) {
    Optional<DriverRun> found = find(ended.driverId(), ended.launch(), ended.attempt());
    if (found.isEmpty()) {
      return;
    }
    DriverRun run = found.get();
    switch (run.state()) {
      case Running running -> failedOrFinished(run, running, ended, turn);
      case Stopping(StopCause cause, Optional<String> _) -> stopped(run, cause, ended, turn);
      case Waiting _, Ended _ -> {} // its end is known
    }
  }

  private void failedOrFinished(DriverRun run, Running running, DriverEnded ended, Turn turn) {
    if (ended.exitCode().isEmpty()) {
      end(run, DriverState.ERROR, ended.message(), ended.exitCode(), turn);
    } else if (endedWell(ended)) {
      end(run, DriverState.FINISHED, ended.message(), ended.exitCode(), turn);
    } else if (run.description().supervise()) {
      Duration wait = run.startLater(running, ended.message(), ended.exitCode(), turn.nowNanos());
      RestartDue due = new RestartDue(run.key().driverId(), run.key().launch(), run.attempt());
      turn.startTimer(due, wait, due);
      runs.changed(run, turn);
    } else {
      end(run, DriverState.FAILED, ended.message(), ended.exitCode(), turn);
    }
  }

  private void stopped(DriverRun run, StopCause cause, DriverEnded ended, Turn turn) {
    if (cause == StopCause.KILLED) {
      end(run, DriverState.KILLED, ended.message(), ended.exitCode(), turn);
    } else if (endedWell(ended)) {
      end(run, DriverState.FINISHED, ended.message(), ended.exitCode(), turn);
    } else {
      runs.drop(run);
      hasGivenBack |= cause == StopCause.GIVEN_BACK;
    }
  }

  private static boolean endedWell(DriverEnded ended) {
    return ended.exitCode().filter(code -> code == 0).isPresent();
  }

  private void end(
      DriverRun run, DriverState how, String why, Optional<Integer> exitCode, Turn turn) {
    run.end(how, why, exitCode);
    runs.ended(run, turn);
  }

  void restart(RestartDue due, Turn turn) {
    Optional<DriverRun> run = find(due.driverId(), due.launch(), due.attempt());
    if (run.isPresent() && run.get().state() instanceof Waiting waiting) {
      run.get().startAgain(waiting, turn.nowNanos());
      sendStart(run.get(), turn);
    }
  }

  /// One that is not here has ended, and the master knows how.
  void kill(KillDriver kill, Turn turn) {
    Optional<DriverRun> found = runs.find(new DriverRun.Key(kill.driverId(), kill.launch()));
    if (found.isPresent()) {
      DriverRun run = found.get();
      if (run.state() instanceof Waiting(String _, Optional<Integer> exitCode)) {
        String why = "killed before it was started again";
        end(run, DriverState.KILLED, why, exitCode, turn);
      } else if (!run.hasEnded() && !run.isStopping(StopCause.KILLED)) {
        stop(run, StopCause.KILLED, turn);
      }
    }
  }

  private void stop(DriverRun run, StopCause cause, Turn turn) {
    run.stop(cause);
    turn.send(runner, new StopDriver(run.key().driverId(), run.key().launch(), run.attempt()));
  }

  /// The worker stops: a driver that it has ended is lost with it, and the master decides what
  /// becomes of it.
  void stopAll(Turn turn) {
    for (DriverRun run : runs.active()) {
      if (run.isWaiting()) {
        runs.drop(run);
      } else if (!run.isStopping(StopCause.KILLED)) {
        stop(run, StopCause.WORKER_STOPS, turn);
      }
    }
  }

  /// Has supervised drivers stopped, so that the master starts them elsewhere.
  ///
  /// @return whether there are some, since the last call, that don't run here any more, and others
  ///     that do
  boolean giveBack(Turn turn) {
    for (DriverRun run : runs.active()) {
      if (run.description().supervise() && run.isWaiting()) {
        runs.drop(run);
        hasGivenBack = true;
      } else if (run.description().supervise() && run.state() instanceof Running) {
        stop(run, StopCause.GIVEN_BACK, turn);
      }
    }
    boolean isNews = hasGivenBack && hasActive();
    hasGivenBack = false;
    return isNews;
  }

  void reportUnacknowledged(Turn turn) {
    runs.reportUnacknowledged(turn);
  }

  void acknowledged(DriverStateKnown known) {
    runs.find(new DriverRun.Key(known.driverId(), known.launch()))
        .filter(run -> run.reportedState() == known.state())
        .ifPresent(runs::acknowledged);
  }

  List<DriverReport> reports() {
    return runs.reports();
  }

  /// Those that have ended, as no master has acknowledged yet.
  List<DriverReport> unacknowledgedEnds() {
    return runs.unacknowledgedEnds();
  }

  boolean hasActive() {
    return runs.hasActive();
  }

  /// Those that run, or will again.
  List<String> drivers() {
    return runs.active().stream().map(run -> run.key().driverId()).toList();
  }
}
