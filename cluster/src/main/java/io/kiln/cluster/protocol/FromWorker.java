package io.kiln.cluster.protocol;

import io.kiln.base.machine.Address;
import java.util.List;

/// What a worker says to a master. The first three components say who speaks, and since when.
public sealed interface FromWorker extends ToMaster {
  String workerId();

  long incarnation();

  long session();

  /// Is sent to all masters, again and again until one answers; and whenever something may have
  /// been lost. Answered by [ToWorker.RegisteredWorker], [ToWorker.RegisterWorkerFailed] or
  /// [MasterInStandby].
  ///
  /// @param executors all that run, and all that ended and that no master has acknowledged
  /// @param drivers likewise
  record RegisterWorker(
      String workerId,
      long incarnation,
      long session,
      WorkerDescription worker,
      List<ExecutorStatus> executors,
      List<DriverReport> drivers)
      implements FromWorker {}

  /// Answered by [ToWorker.ReconnectWorker] if the master knows no such session, and otherwise by
  /// [ToWorker.HeartbeatSeen].
  ///
  /// @param epoch of the master that the worker follows
  /// @param address where to answer
  /// @param seen number of the last message that was handled
  /// @param trouble why it can start nothing for now, for people; empty if it can
  record WorkerHeartbeat(
      String workerId,
      long incarnation,
      long session,
      long epoch,
      Address address,
      long seen,
      String trouble)
      implements FromWorker {}

  /// Is sent again until [ToWorker.ExecutorStateKnown] comes.
  record ExecutorStateChanged(
      String workerId, long incarnation, long session, ExecutorStatus executor)
      implements FromWorker {}

  /// Is sent again until [ToWorker.DriverStateKnown] comes.
  record DriverStateChanged(String workerId, long incarnation, long session, DriverReport driver)
      implements FromWorker {}

  /// The worker was told, by a signal, to take nothing more and to go once it is empty.
  record WorkerDecommissioning(String workerId, long incarnation, long session)
      implements FromWorker {}

  /// The worker ends now, as it was told; all that it ran has ended.
  record UnregisterWorker(String workerId, long incarnation, long session) implements FromWorker {}
}
