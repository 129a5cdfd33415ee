package io.kiln.cluster.master;

import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.GrantedExecutor;

/// An executor that takes room on a worker: until the worker says that it has ended, whatever its
/// application thinks. Mutable, the master's thread only.
final class ExecutorGrant {

  /// @param executorId within the application
  record Key(String applicationId, int executorId) {
    @Override
    public String toString() {
      return applicationId + "/" + executorId;
    }
  }

  private final Key key;
  private final WorkerNode worker;
  private final int cores;
  private final int memoryMebibytes;
  private boolean leaving;
  private ExecutorState state = ExecutorState.LAUNCHING;
  private long runningSinceNanos;
  private String stopping = "";

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

  ExecutorState state() {
    return state;
  }

  void run(long nowNanos) {
    state = ExecutorState.RUNNING;
    runningSinceNanos = nowNanos;
  }

  boolean hasRunFor(long nanos, long nowNanos) {
    return state == ExecutorState.RUNNING && nowNanos - runningSinceNanos >= nanos;
  }

  /// Whether its worker is decommissioned: another takes its place while it is still there.
  boolean isLeaving() {
    return leaving;
  }

  void leave() {
    leaving = true;
  }

  void stop(String reason) {
    stopping = reason;
  }

  boolean isStopping() {
    return !stopping.isEmpty();
  }

  String stoppingReason() {
    return stopping;
  }

  GrantedExecutor toGranted() {
    return new GrantedExecutor(
        key.executorId(), worker.id(), worker.description().hostPort(), cores, memoryMebibytes);
  }
}
