package io.kiln.standalone.master;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromClient.RequestClearCompleted;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.runtime.Edge;
import io.kiln.standalone.rest.Submissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/// Asks the master of this process, and is told its answers. Thread-safe.
final class MasterSubmissions implements Submissions, Edge {
  private static final String NAME = "submissions";

  private final Address self;
  private final Consumer<FromClient> master;
  private final Duration answersWithin;

  // an entry lives until the answer or the end of the time for it
  private final Map<String, CompletableFuture<ToClient>> asked = new ConcurrentHashMap<>();

  /// @param process in which the master is
  /// @param master takes what is asked
  MasterSubmissions(String process, Consumer<FromClient> master, Duration answersWithin) {
    this.self = new Address(process, NAME);
    this.master = master;
    this.answersWithin = answersWithin;
  }

  /// Where answers go.
  Address address() {
    return self;
  }

  @Override
  public CompletableFuture<SubmitDriverResponse> submit(DriverDescription driver) {
    return ask(id -> new RequestSubmitDriver(self, id, driver), SubmitDriverResponse.class);
  }

  @Override
  public CompletableFuture<KillDriverResponse> kill(String driverId) {
    return ask(id -> new RequestKillDriver(self, id, driverId), KillDriverResponse.class);
  }

  @Override
  public CompletableFuture<KillAllDriversResponse> killAll() {
    return ask(id -> new RequestKillAllDrivers(self, id), KillAllDriversResponse.class);
  }

  @Override
  public CompletableFuture<DriverStatusResponse> status(String driverId) {
    return ask(id -> new RequestDriverStatus(self, id, driverId), DriverStatusResponse.class);
  }

  @Override
  public CompletableFuture<ClearCompletedResponse> clear() {
    return ask(id -> new RequestClearCompleted(self, id), ClearCompletedResponse.class);
  }

  @Override
  public CompletableFuture<MasterIdentity> master() {
    // each answer says who answers, and this one is short
    return status("").thenApply(DriverStatusResponse::master);
  }

  private <A extends ToClient> CompletableFuture<A> ask(
      Function<String, FromClient> question, Class<A> type) {
    String id = UUID.randomUUID().toString();
    CompletableFuture<ToClient> answer = new CompletableFuture<>();
    asked.put(id, answer);
    CompletableFuture<A> typed =
        answer
            .orTimeout(answersWithin.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((_, _) -> asked.remove(id))
            .thenApply(type::cast);
    try {
      master.accept(question.apply(id));
    } catch (KilnException e) {
      answer.completeExceptionally(e);
    }
    return typed;
  }

  @Override
  public void deliver(List<Message> batch) {
    for (Message message : batch) {
      ToClient answer = (ToClient) message;
      CompletableFuture<ToClient> waiting = asked.get(answer.requestId());
      if (waiting != null) {
        waiting.complete(answer);
      }
    }
  }
}
