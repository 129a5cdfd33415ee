package io.kiln.cluster.protocol;

import io.kiln.base.machine.Message;
import java.util.Optional;

/// Answers to [FromClient].
public sealed interface ToClient extends Message {
  String requestId();

  MasterIdentity master();

  /// @param driverId if it was accepted
  /// @param message for people
  record SubmitDriverResponse(
      String requestId,
      MasterIdentity master,
      boolean success,
      Optional<String> driverId,
      String message)
      implements ToClient {}

  record KillDriverResponse(
      String requestId, MasterIdentity master, String driverId, boolean success, String message)
      implements ToClient {}

  record KillAllDriversResponse(
      String requestId, MasterIdentity master, boolean success, String message)
      implements ToClient {}

  /// @param driver empty if nobody knows it, or the master does not lead
  /// @param message for people: why it waits, what became of it
  record DriverStatusResponse(
      String requestId, MasterIdentity master, Optional<DriverStatus> driver, String message)
      implements ToClient {}

  record KillApplicationResponse(
      String requestId, MasterIdentity master, boolean success, String message)
      implements ToClient {}

  record ClearCompletedResponse(
      String requestId, MasterIdentity master, boolean success, String message)
      implements ToClient {}

  /// @param workers how many were told
  record DecommissionWorkersResponse(
      String requestId, MasterIdentity master, boolean success, int workers, String message)
      implements ToClient {}

  record MasterStateResponse(String requestId, MasterIdentity master, ClusterStatus cluster)
      implements ToClient {}
}
