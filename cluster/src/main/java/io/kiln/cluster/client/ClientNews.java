package io.kiln.cluster.client;

import io.kiln.base.machine.Message;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.GrantedExecutor;
import java.util.Optional;

/// What the client tells the application. Of an executor: once that it is granted, perhaps once
/// that it is to go, then once that it is gone; whatever masters come and go.
public sealed interface ClientNews extends Message {

  /// At first, and after each [Disconnected].
  record Connected(String applicationId, String masterUrl) implements ClientNews {}

  /// Executors go on; nothing new comes until a master is found.
  record Disconnected(String reason) implements ClientNews {}

  record ExecutorGranted(GrantedExecutor executor) implements ClientNews {}

  record ExecutorRunning(int executorId) implements ClientNews {}

  /// It is about to be taken away, and is to end before that.
  record ExecutorDecommissioned(int executorId, String message) implements ClientNews {}

  /// @param workerLost whether the files that it wrote are gone too
  record ExecutorGone(
      int executorId,
      ExecutorState state,
      String message,
      Optional<Integer> exitCode,
      boolean workerLost)
      implements ClientNews {}

  record WorkerGone(String workerId, String host, String message) implements ClientNews {}

  /// Why it waits for executors: for people.
  record Waiting(String message) implements ClientNews {}

  /// The last news.
  ///
  /// @param state FINISHED if it was [ClientEvent.Stop]ped; KILLED as somebody wanted; FAILED
  ///     otherwise
  record Dead(ApplicationState state, String reason) implements ClientNews {}
}
