package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;
import java.util.List;
import java.util.Optional;

/// What travels to the client of an application.
public sealed interface ToApplication extends ClientMessage
    permits MasterInStandby,
        MasterChanged,
        ToApplication.RegisterApplicationFailed,
        ToApplication.ReconnectApplication,
        ToApplication.HeartbeatSeen,
        ToApplication.ApplicationRemoved,
        ToApplication.FromItsMaster {

  /// The application can't be as it is described.
  record RegisterApplicationFailed(long session, String reason) implements ToApplication {}

  /// The master has no such session; the client registers again.
  record ReconnectApplication(long epoch, long incarnation, long session, Address master)
      implements ToApplication {}

  /// @param epoch of the master that leads
  record HeartbeatSeen(long epoch, long session) implements ToApplication {}

  /// It is over, for the master; its executors are being stopped. Is no part of a session: it is
  /// also the answer to one that comes back.
  ///
  /// @param incarnation of the client that is meant
  record ApplicationRemoved(
      long epoch, long incarnation, String applicationId, ApplicationState state, String message)
      implements ToApplication {}

  /// News within a session.
  sealed interface FromItsMaster extends ToApplication {
    Stamp stamp();
  }

  /// The first of its session; and again once a master that has taken over knows everything.
  ///
  /// @param complete whether `executors` are all: others of which the client was told are lost.
  ///     Not while the master recovers.
  record RegisteredApplication(
      Stamp stamp,
      String applicationId,
      Address master,
      String masterUrl,
      boolean complete,
      List<GrantedExecutor> executors)
      implements FromItsMaster {}

  /// A worker was told to start this executor. May come again.
  record ExecutorAdded(Stamp stamp, GrantedExecutor executor) implements FromItsMaster {}

  /// @param workerLost whether it is gone with its worker
  record ExecutorUpdated(
      Stamp stamp,
      int executorId,
      ExecutorState state,
      Optional<String> message,
      Optional<Integer> exitCode,
      boolean workerLost)
      implements FromItsMaster {}

  /// The executor's worker is about to go: it is to move what it has to others, and to end. May
  /// come again.
  record ExecutorDecommissioned(Stamp stamp, int executorId, String message)
      implements FromItsMaster {}

  /// The worker is gone, and with it all files of executors that ran there.
  record WorkerRemoved(Stamp stamp, String workerId, String host, String message)
      implements FromItsMaster {}

  /// For people: why the application waits.
  record WaitingForResources(Stamp stamp, String message) implements FromItsMaster {}
}
