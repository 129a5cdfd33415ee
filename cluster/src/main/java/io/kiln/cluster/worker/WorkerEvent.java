package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.WorkerMessage;
import java.util.Optional;

/// What happens around a worker.
public sealed interface WorkerEvent extends WorkerMessage {

  /// Once, first: it registers.
  record Start() implements WorkerEvent {}

  /// The link to the master at this address is closed.
  record LinkLost(Address master) implements WorkerEvent {}

  /// As a signal says: takes nothing more, and ends once it is empty.
  record Decommission() implements WorkerEvent {}

  /// Stops everything, and ends.
  record Stop() implements WorkerEvent {}

  /// Answered with a [WorkerStatus].
  record StatusWanted(Address replyTo, String requestId) implements WorkerEvent {}

  record ExecutorStarted(String applicationId, int executorId) implements WorkerEvent {}

  /// @param exitCode empty if it could not be started
  record ExecutorEnded(
      String applicationId, int executorId, Optional<Integer> exitCode, String message)
      implements WorkerEvent {}

  record DriverStarted(String driverId, int launch, int attempt) implements WorkerEvent {}

  /// @param exitCode empty if it could not be started
  record DriverEnded(
      String driverId, int launch, int attempt, Optional<Integer> exitCode, String message)
      implements WorkerEvent {}

  /// @param trouble why nothing can be started here for now, for people; empty if something can
  record RoomChecked(String trouble) implements WorkerEvent {}

  // its own timers

  record RegistrationDue(long session) implements WorkerEvent {}

  record HeartbeatDue() implements WorkerEvent {}

  record RestartDue(String driverId, int launch, int attempt) implements WorkerEvent {}

  record CleanUpDue() implements WorkerEvent {}

  /// A worker that stops has waited long enough for a master that hears how its drivers ended.
  record LeaveDue() implements WorkerEvent {}
}
