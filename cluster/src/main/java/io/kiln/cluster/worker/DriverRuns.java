package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker.DriverStateKnown;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.worker.RunnerOrder.StartDriver;
import io.kiln.cluster.worker.RunnerOrder.StopDriver;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.RestartDue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The drivers of a worker: those that run, and those that ended and of which the master does not
/// know that yet. A supervised one that fails is started again, after a time that doubles; a run of
/// more than five seconds ends the row. Mutable, the worker's thread only.
final class DriverRuns {
  private static final Duration GOOD_RUN = Duration.ofSeconds(5);
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  private record Key(String driverId, int launch) {}

  private static final class Run {
    final Key key;
    final DriverDescription description;
    final Optional<String> secret;
    DriverState state = DriverState.RUNNING;
    Optional<String> message = Optional.empty();
    Optional<Integer> exitCode = Optional.empty();
    int attempt;
    long startedNanos;
    Duration nextWait = FIRST_WAIT;
    boolean waiting;
    boolean killed;
    boolean givenBack;
    boolean told = true;

    Run(Key key, DriverDescription description, Optional<String> secret) {
      this.key = key;
      this.description = description;
      this.secret = secret;
    }

    DriverReport toReport() {
      return new DriverReport(
          key.driverId(),
          key.launch(),
          description.cores(),
          description.memoryMebibytes(),
          state,
          message,
          exitCode);
    }
  }

  private final Address runner;
  private final Capacity capacity;
  private final Reporter reporter;
  private final Map<Key, Run> runs = new LinkedHashMap<>();

  /// Whether one is not here any more that the master does not know to have ended.
  private boolean dropped;

  DriverRuns(Address runner, Capacity capacity, Reporter reporter) {
    this.runner = runner;
    this.capacity = capacity;
    this.reporter = reporter;
  }

  /// One that can't be started here is left out: the master learns that the worker does not know
  /// it, when that registers again.
  ///
  /// @return whether it is known now
  boolean launch(LaunchDriver launch, Turn turn) {
    Key key = new Key(launch.driverId(), launch.launch());
    Run known = runs.get(key);
    if (known != null) {
      reporter.tell(known.toReport(), turn);
      return true;
    }
    if (!capacity.has(launch.driver().cores(), launch.driver().memoryMebibytes())) {
      return false;
    }
    Run run = new Run(key, launch.driver(), launch.secret());
    capacity.take(run.description.cores(), run.description.memoryMebibytes());
    runs.put(key, run);
    start(run, turn);
    return true;
  }

  private void start(Run run, Turn turn) {
    run.attempt++;
    run.waiting = false;
    run.startedNanos = turn.nowNanos();
    turn.send(
        runner,
        new StartDriver(
            run.key.driverId(), run.key.launch(), run.attempt, run.description, run.secret));
  }

  void started(DriverStarted started, Turn turn) {
    find(started.driverId(), started.launch(), started.attempt())
        .filter(run -> !run.state.isFinal())
        .ifPresent(
            run -> {
              run.startedNanos = turn.nowNanos();
              run.message = Optional.empty();
              tell(run, turn);
            });
  }

  private Optional<Run> find(String driverId, int launch, int attempt) {
    return Optional.ofNullable(runs.get(new Key(driverId, launch)))
        .filter(run -> run.attempt == attempt);
  }

  /// @param stopping whether the worker stops: then a driver that it has ended is lost with its
  ///     worker, and the master decides what becomes of it
  void ended(DriverEnded ended, boolean stopping, Turn turn) {
    Optional<Run> found =
        find(ended.driverId(), ended.launch(), ended.attempt())
            .filter(run -> !run.state.isFinal() && !run.waiting);
    if (found.isEmpty()) {
      return;
    }
    Run run = found.get();
    run.exitCode = ended.exitCode();
    int code = ended.exitCode().orElse(-1);
    if (run.killed) {
      end(run, DriverState.KILLED, ended.message(), turn);
    } else if ((stopping || run.givenBack) && code != 0) {
      drop(run);
      dropped = true;
    } else if (ended.exitCode().isEmpty()) {
      end(run, DriverState.ERROR, ended.message(), turn);
    } else if (code == 0) {
      end(run, DriverState.FINISHED, ended.message(), turn);
    } else if (run.description.supervise()) {
      startLater(run, ended.message(), turn);
    } else {
      end(run, DriverState.FAILED, ended.message(), turn);
    }
  }

  private void drop(Run run) {
    runs.remove(run.key);
    capacity.giveBack(run.description.cores(), run.description.memoryMebibytes());
  }

  private void startLater(Run run, String why, Turn turn) {
    if (turn.nowNanos() - run.startedNanos > GOOD_RUN.toNanos()) {
      run.nextWait = FIRST_WAIT;
    }
    Duration wait = run.nextWait;
    Duration doubled = wait.multipliedBy(2);
    run.nextWait = doubled.compareTo(LONGEST_WAIT) < 0 ? doubled : LONGEST_WAIT;
    run.waiting = true;
    run.message =
        Optional.of(why + "; run " + (run.attempt + 1) + " starts in " + wait.toSeconds() + " s");
    RestartDue due = new RestartDue(run.key.driverId(), run.key.launch(), run.attempt);
    turn.startTimer(due, wait, due);
    tell(run, turn);
  }

  void restart(RestartDue due, Turn turn) {
    find(due.driverId(), due.launch(), due.attempt())
        .filter(run -> run.waiting && !run.state.isFinal())
        .ifPresent(run -> start(run, turn));
  }

  void kill(KillDriver kill, Turn turn) {
    Key key = new Key(kill.driverId(), kill.launch());
    Run run = runs.get(key);
    if (run == null) {
      return; // it has ended, and the master knows how
    }
    kill(run, turn);
  }

  private void kill(Run run, Turn turn) {
    if (run.state.isFinal()) {
      return;
    }
    if (run.waiting) {
      end(run, DriverState.KILLED, "killed before it was started again", turn);
    } else if (!run.killed) {
      stop(run, turn);
    }
    run.killed = true;
  }

  private void stop(Run run, Turn turn) {
    turn.send(runner, new StopDriver(run.key.driverId(), run.key.launch(), run.attempt));
  }

  /// The worker stops.
  void stopAll(Turn turn) {
    for (Run run : List.copyOf(runs.values())) {
      if (run.waiting) {
        drop(run);
      } else if (!run.state.isFinal() && !run.killed) {
        stop(run, turn);
      }
    }
  }

  /// Has supervised drivers stopped, so that the master starts them elsewhere.
  ///
  /// @return whether there are some, since the last call, that don't run here any more, and others
  ///     that do
  boolean giveBack(Turn turn) {
    for (Run run : List.copyOf(runs.values())) {
      if (!run.description.supervise() || run.state.isFinal() || run.killed || run.givenBack) {
        continue;
      }
      run.givenBack = true;
      if (run.waiting) {
        drop(run);
        dropped = true;
      } else {
        stop(run, turn);
      }
    }
    boolean tell = dropped && someRun();
    dropped = false;
    return tell;
  }

  private void end(Run run, DriverState state, String why, Turn turn) {
    capacity.giveBack(run.description.cores(), run.description.memoryMebibytes());
    run.state = state;
    run.waiting = false;
    run.message = Optional.of(why);
    tell(run, turn);
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

  void known(DriverStateKnown known) {
    Key key = new Key(known.driverId(), known.launch());
    Run run = runs.get(key);
    if (run != null && run.state == known.state()) {
      run.told = true;
      if (run.state.isFinal()) {
        runs.remove(key);
      }
    }
  }

  List<DriverReport> reports() {
    return runs.values().stream().map(Run::toReport).toList();
  }

  /// Those that have ended, as no master has heard yet.
  List<DriverReport> unheardEnds() {
    return runs.values().stream().filter(run -> run.state.isFinal()).map(Run::toReport).toList();
  }

  boolean someRun() {
    return runs.values().stream().anyMatch(run -> !run.state.isFinal());
  }

  /// Those that run, or will again.
  List<String> drivers() {
    return runs.values().stream()
        .filter(run -> !run.state.isFinal())
        .map(run -> run.key.driverId())
        .toList();
  }
}
