package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;
import java.util.Optional;

/// What travels to a worker.
public sealed interface ToWorker extends WorkerMessage
    permits MasterInStandby,
        MasterChanged,
        ToWorker.RegisterWorkerFailed,
        ToWorker.ReconnectWorker,
        ToWorker.HeartbeatSeen,
        ToWorker.FromItsMaster {

  /// Another worker has this id, or this address.
  record RegisterWorkerFailed(long session, String reason) implements ToWorker {}

  /// The master has no such session; the worker registers again.
  record ReconnectWorker(long epoch, long incarnation, long session, Address master)
      implements ToWorker {}

  /// @param epoch of the master that leads
  record HeartbeatSeen(long epoch, long session) implements ToWorker {}

  /// Commands and answers within a session.
  sealed interface FromItsMaster extends ToWorker {
    Stamp stamp();
  }

  /// The first of its session.
  record RegisteredWorker(Stamp stamp, Address master, String masterUrl, String masterWebUiUrl)
      implements FromItsMaster {}

  record LaunchExecutor(
      Stamp stamp,
      String applicationId,
      int executorId,
      ApplicationDescription application,
      int cores,
      int memoryMebibytes)
      implements FromItsMaster {}

  record KillExecutor(Stamp stamp, String applicationId, int executorId, String reason)
      implements FromItsMaster {}

  /// @param launch counts how often masters have launched this driver: 1 at first, more for one
  ///     whose worker was lost
  /// @param secret by which the driver shows masters which one it is; empty if processes don't
  ///     authenticate each other
  record LaunchDriver(
      Stamp stamp, String driverId, int launch, DriverDescription driver, Optional<String> secret)
      implements FromItsMaster {

    /// Leaves out the secret.
    @Override
    public String toString() {
      return "LaunchDriver[" + driverId + ", " + launch + ", " + driver + "]";
    }
  }

  record KillDriver(Stamp stamp, String driverId, int launch) implements FromItsMaster {}

  /// Its executors are stopped; once none is left, its directories go.
  record ApplicationFinished(Stamp stamp, String applicationId) implements FromItsMaster {}

  /// The master knows; the worker may forget an executor that has ended.
  record ExecutorStateKnown(Stamp stamp, String applicationId, int executorId, ExecutorState state)
      implements FromItsMaster {}

  /// The master knows, and remembers; the worker may forget a driver that has ended.
  record DriverStateKnown(Stamp stamp, String driverId, int launch, DriverState state)
      implements FromItsMaster {}

  /// The worker takes nothing more, moves off what it can, and ends once it is empty.
  record DecommissionWorker(Stamp stamp) implements FromItsMaster {}
}
