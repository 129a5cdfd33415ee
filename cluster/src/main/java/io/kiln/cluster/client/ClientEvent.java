package io.kiln.cluster.client;

import io.kiln.base.machine.Address;
import io.kiln.cluster.protocol.ClientMessage;
import java.util.List;

/// What happens around the client of an application.
public sealed interface ClientEvent extends ClientMessage {

  /// Once, first: it registers.
  record Start() implements ClientEvent {}

  /// The application is over. Answered by [ClientNews.Dead], once the master knows or can't be
  /// told.
  record Stop() implements ClientEvent {}

  /// How many executors there should be from now on, and where; as in
  /// [io.kiln.cluster.protocol.ExecutorRequest].
  record RequestExecutors(int total, List<String> wantedHosts, List<String> avoidedHosts)
      implements ClientEvent {

    /// Anywhere.
    public RequestExecutors(int total) {
      this(total, List.of(), List.of());
    }
  }

  record KillExecutors(List<Integer> executorIds) implements ClientEvent {}

  /// The link to the master at this address is closed, or could not be made.
  record LinkLost(Address master) implements ClientEvent {}

  // its own timers

  record RegistrationDue(long session) implements ClientEvent {}

  record HeartbeatDue() implements ClientEvent {}

  record StopDue() implements ClientEvent {}
}
