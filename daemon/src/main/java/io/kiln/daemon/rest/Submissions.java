package io.kiln.daemon.rest;

import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import java.util.concurrent.CompletableFuture;

/// A master, as far as a gateway needs one. Thread-safe; nothing in it blocks. A future that never
/// completes is given up by the gateway in time.
public interface Submissions {
  CompletableFuture<SubmitDriverResponse> submit(DriverDescription driver);

  CompletableFuture<KillDriverResponse> kill(String driverId);

  CompletableFuture<KillAllDriversResponse> killAll();

  CompletableFuture<DriverStatusResponse> status(String driverId);

  /// Forgets drivers and applications that are over.
  CompletableFuture<ClearCompletedResponse> clear();

  /// Who the master is now, and whether it leads.
  CompletableFuture<MasterIdentity> master();
}
