package io.kiln.cluster.worker;

import io.kiln.base.machine.Backoff;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import java.time.Duration;
import java.util.Optional;

/// One launch of a driver, on the worker that runs it. Mutable, the worker's thread only.
///
/// ```
///            it has failed, and is supervised
///  Running ─────────────────────────────────► Waiting for its next attempt
///   │   ▲                                         │
///   │   └──────────── its wait is over ───────────┤
///   │                                             │
///   ├──► Stopping: killed, given back, or         │ killed; if it is given back, or its worker
///   │    its worker stops    │                    │ stops, it is dropped instead
///   ▼                        ▼                    ▼
///  Ended: how, why ── the master knows ──► forgotten
/// ```
///
/// One that is given back, or whose worker stops, is dropped when its process ends, unless that
/// ends well: the master decides what becomes of it.
final class DriverRun implements Runs.Run<DriverRun.Key, DriverReport> {
  private static final Duration GOOD_RUN = Duration.ofSeconds(5);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  record Key(String driverId, int launch) {}

  sealed interface State {

    /// @param message why it was started again; empty if this is its first attempt, or if the
    ///     attempt is known to have started
    record Running(long sinceNanos, Optional<String> message) implements State {}

    /// @param exitCode of the attempt that failed
    record Waiting(String message, Optional<Integer> exitCode) implements State {}

    /// Its process is told to end.
    record Stopping(StopCause cause, Optional<String> message) implements State {}

    record Ended(DriverState how, String message, Optional<Integer> exitCode) implements State {}
  }

  enum StopCause {
    KILLED,
    GIVEN_BACK,
    WORKER_STOPS
  }

  private final Key key;
  private final DriverDescription description;
  private final Optional<String> secret;
  private State state;
  private int attempt = 1;
  private int failuresInRow;

  DriverRun(LaunchDriver launch, long nowNanos) {
    this.key = new Key(launch.driverId(), launch.launch());
    this.description = launch.driver();
    this.secret = launch.secret();
    this.state = new State.Running(nowNanos, Optional.empty());
  }

  @Override
  public Key key() {
    return key;
  }

  DriverDescription description() {
    return description;
  }

  Optional<String> secret() {
    return secret;
  }

  @Override
  public int cores() {
    return description.cores();
  }

  @Override
  public int memoryMebibytes() {
    return description.memoryMebibytes();
  }

  State state() {
    return state;
  }

  /// Which process of this launch it is: 1 at first.
  int attempt() {
    return attempt;
  }

  boolean isWaiting() {
    return state instanceof State.Waiting;
  }

  boolean isStopping(StopCause cause) {
    return state instanceof State.Stopping stopping && stopping.cause() == cause;
  }

  @Override
  public boolean hasEnded() {
    return state instanceof State.Ended;
  }

  /// The process of its attempt runs.
  void started(long nowNanos) {
    state =
        state instanceof State.Stopping(StopCause cause, Optional<String> _)
            ? new State.Stopping(cause, Optional.empty())
            : new State.Running(nowNanos, Optional.empty());
  }

  /// Its attempt has failed; a run that was long enough ends the row of those that were not.
  ///
  /// @return how long the next one waits
  Duration startLater(State.Running failed, String why, Optional<Integer> exitCode, long nowNanos) {
    boolean wasGood = nowNanos - failed.sinceNanos() > GOOD_RUN.toNanos();
    failuresInRow = wasGood ? 1 : failuresInRow + 1;
    Duration wait = BACKOFF.after(failuresInRow);
    String message = why + "; run " + (attempt + 1) + " starts in " + wait.toSeconds() + " s";
    state = new State.Waiting(message, exitCode);
    return wait;
  }

  /// Its wait is over.
  void startAgain(State.Waiting waiting, long nowNanos) {
    attempt++;
    state = new State.Running(nowNanos, Optional.of(waiting.message()));
  }

  /// Its process is told to end.
  void stop(StopCause cause) {
    state = new State.Stopping(cause, message());
  }

  void end(DriverState how, String why, Optional<Integer> exitCode) {
    state = new State.Ended(how, why, exitCode);
  }

  DriverState reportedState() {
    return state instanceof State.Ended ended ? ended.how() : DriverState.RUNNING;
  }

  private Optional<String> message() {
    return switch (state) {
      case State.Running running -> running.message();
      case State.Waiting waiting -> Optional.of(waiting.message());
      case State.Stopping stopping -> stopping.message();
      case State.Ended ended -> Optional.of(ended.message());
    };
  }

  private Optional<Integer> exitCode() {
    return switch (state) {
      case State.Running _, State.Stopping _ -> Optional.empty();
      case State.Waiting waiting -> waiting.exitCode();
      case State.Ended ended -> ended.exitCode();
    };
  }

  @Override
  public DriverReport toReport() {
    return new DriverReport(
        key.driverId(),
        key.launch(),
        description.cores(),
        description.memoryMebibytes(),
        reportedState(),
        message(),
        exitCode());
  }
}
