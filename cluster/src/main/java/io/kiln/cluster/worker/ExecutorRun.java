package io.kiln.cluster.worker;

import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import java.util.Optional;

/// An executor of a worker. Mutable, the worker's thread only.
///
/// ```
///            its process has started
///  Launching ──────────────────────► Running
///      │                                │
///      ├──► Stopping: its process is ◄──┤
///      │    told to end    │            │
///      ▼                   ▼            ▼
///    Ended: how, why ── the master knows ──► forgotten
/// ```
final class ExecutorRun implements Runs.Run<ExecutorRun.Key, ExecutorStatus> {
  record Key(String applicationId, int executorId) {}

  private sealed interface State {}

  private record Launching() implements State {}

  private record Running() implements State {}

  /// @param process LAUNCHING or RUNNING
  private record Stopping(ExecutorState process) implements State {}

  private record Ended(ExecutorState how, String message, Optional<Integer> exitCode)
      implements State {}

  private final Key key;
  private final int cores;
  private final int memoryMebibytes;
  private final Optional<ApplicationDescription> application;
  private State state;

  private ExecutorRun(
      Key key,
      int cores,
      int memoryMebibytes,
      Optional<ApplicationDescription> application,
      State state) {
    this.key = key;
    this.cores = cores;
    this.memoryMebibytes = memoryMebibytes;
    this.application = application;
    this.state = state;
  }

  static ExecutorRun of(LaunchExecutor launch) {
    return new ExecutorRun(
        new Key(launch.applicationId(), launch.executorId()),
        launch.cores(),
        launch.memoryMebibytes(),
        Optional.of(launch.application()),
        new Launching());
  }

  /// One that never ran here.
  static ExecutorRun unknown(Key key) {
    return new ExecutorRun(
        key,
        0,
        0,
        Optional.empty(),
        new Ended(ExecutorState.KILLED, "does not run here", Optional.empty()));
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public int cores() {
    return cores;
  }

  @Override
  public int memoryMebibytes() {
    return memoryMebibytes;
  }

  ExecutorState state() {
    return switch (state) {
      case Launching _ -> ExecutorState.LAUNCHING;
      case Running _ -> ExecutorState.RUNNING;
      case Stopping stopping -> stopping.process();
      case Ended ended -> ended.how();
    };
  }

  @Override
  public boolean hasEnded() {
    return state instanceof Ended;
  }

  boolean isStopping() {
    return state instanceof Stopping;
  }

  /// Its process, which was LAUNCHING, runs.
  void run() {
    state = isStopping() ? new Stopping(ExecutorState.RUNNING) : new Running();
  }

  /// Its process is told to end.
  void stop() {
    state = new Stopping(state());
  }

  void end(ExecutorState how, String message, Optional<Integer> exitCode) {
    state = new Ended(how, message, exitCode);
  }

  @Override
  public ExecutorStatus toReport() {
    Optional<Ended> end = state instanceof Ended ended ? Optional.of(ended) : Optional.empty();
    return new ExecutorStatus(
        key.applicationId(),
        key.executorId(),
        cores,
        memoryMebibytes,
        state(),
        end.map(Ended::message),
        end.flatMap(Ended::exitCode));
  }

  /// For people; empty if it never ran here.
  Optional<WorkerStatus.Executor> status() {
    return application.map(
        known ->
            new WorkerStatus.Executor(
                key.applicationId(), key.executorId(), memoryMebibytes, state(), known));
  }
}
