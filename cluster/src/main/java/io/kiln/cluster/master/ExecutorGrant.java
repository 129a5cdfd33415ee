package io.kiln.cluster.master;

import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.GrantedExecutor;
import java.util.Optional;

/// An executor that takes room on a worker: until the worker says that it has ended, whatever its
/// application thinks. Mutable, the master's thread only.
///
/// ```
///           its worker says that it runs
///  Launching ────────────────────────────► Running
///      │                                      │
///      └──► Stopping: its worker is told to ◄─┘
///                  end it, and why
/// ```
///
/// From each state, the grant is over when the worker says that the executor has ended, or never
/// heard of it, or is lost.
final class ExecutorGrant {

  /// @param executorId within the application
  record Key(String applicationId, int executorId) {
    @Override
    public String toString() {
      return applicationId + "/" + executorId;
    }
  }

  private sealed interface State {}

  private sealed interface Wanted extends State {}

  private record Launching() implements Wanted {}

  private record Running(long sinceNanos) implements Wanted {}

  /// @param process how the executor's process is
  /// @param reason for people
  private record Stopping(Wanted process, String reason) implements State {}

  private final Key key;
  private final WorkerNode worker;
  private final int cores;
  private final int memoryMebibytes;
  private State state = new Launching();

  ExecutorGrant(Key key, WorkerNode worker, int cores, int memoryMebibytes) {
    this.key = key;
    this.worker = worker;
    this.cores = cores;
    this.memoryMebibytes = memoryMebibytes;
  }

  Key key() {
    return key;
  }

  WorkerNode worker() {
    return worker;
  }

  int cores() {
    return cores;
  }

  int memoryMebibytes() {
    return memoryMebibytes;
  }

  /// LAUNCHING or RUNNING.
  ExecutorState state() {
    return switch (process()) {
      case Launching _ -> ExecutorState.LAUNCHING;
      case Running _ -> ExecutorState.RUNNING;
    };
  }

  private Wanted process() {
    return switch (state) {
      case Wanted wanted -> wanted;
      case Stopping stopping -> stopping.process();
    };
  }

  void run(long nowNanos) {
    Running running = new Running(nowNanos);
    state =
        switch (state) {
          case Wanted _ -> running;
          case Stopping(Wanted _, String reason) -> new Stopping(running, reason);
        };
  }

  boolean hasRunFor(long nanos, long nowNanos) {
    return process() instanceof Running(long sinceNanos) && nowNanos - sinceNanos >= nanos;
  }

  void stop(String reason) {
    state = new Stopping(process(), reason);
  }

  boolean isStopping() {
    return state instanceof Stopping;
  }

  /// Why its worker is told to end it, if it is.
  Optional<String> stopReason() {
    return state instanceof Stopping stopping ? Optional.of(stopping.reason()) : Optional.empty();
  }

  GrantedExecutor toGranted() {
    return new GrantedExecutor(
        key.executorId(), worker.id(), worker.description().hostPort(), cores, memoryMebibytes);
  }
}
