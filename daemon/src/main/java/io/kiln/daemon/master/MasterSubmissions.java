package io.kiln.daemon.master;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromClient.RequestClearCompleted;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.MasterStateResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.daemon.Questions;
import io.kiln.daemon.rest.Submissions;
import java.util.concurrent.CompletableFuture;

/// The master of this process, for its gateways. Thread-safe.
final class MasterSubmissions implements Submissions {
  private final Questions<FromClient> questions;
  private final Address self;

  MasterSubmissions(Questions<FromClient> questions) {
    this.questions = questions;
    this.self = questions.address();
  }

  @Override
  public CompletableFuture<SubmitDriverResponse> submit(DriverDescription driver) {
    return questions.ask(
        id -> new RequestSubmitDriver(self, id, driver), SubmitDriverResponse.class);
  }

  @Override
  public CompletableFuture<KillDriverResponse> kill(String driverId) {
    return questions.ask(id -> new RequestKillDriver(self, id, driverId), KillDriverResponse.class);
  }

  @Override
  public CompletableFuture<KillAllDriversResponse> killAll() {
    return questions.ask(id -> new RequestKillAllDrivers(self, id), KillAllDriversResponse.class);
  }

  @Override
  public CompletableFuture<DriverStatusResponse> status(String driverId) {
    return questions.ask(
        id -> new RequestDriverStatus(self, id, driverId), DriverStatusResponse.class);
  }

  @Override
  public CompletableFuture<ClearCompletedResponse> clear() {
    return questions.ask(id -> new RequestClearCompleted(self, id), ClearCompletedResponse.class);
  }

  @Override
  public CompletableFuture<MasterIdentity> master() {
    // each answer says who answers, and this one is short
    return status("").thenApply(DriverStatusResponse::master);
  }

  CompletableFuture<MasterStateResponse> state() {
    return questions.ask(id -> new RequestMasterState(self, id), MasterStateResponse.class);
  }
}
