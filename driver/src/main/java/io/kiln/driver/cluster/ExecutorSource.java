package io.kiln.driver.cluster;

import io.kiln.network.transport.NodeAddress;
import io.kiln.scheduler.allocation.LaunchRequest;
import java.util.Optional;

/// Where an application's executors come from: starts their processes or has them started, watches
/// them, and tells the allocation machine. Thread-safe.
public interface ExecutorSource extends AutoCloseable {

  /// By which executors reach the driver, if no setting says otherwise.
  String driverHost();

  /// How many tasks will run at once, as far as that is known now: it changes with what a cluster
  /// gives and takes.
  int slots();

  /// How many there will be once all that was asked for has come; as [#slots] where nobody knows.
  default int wantedSlots() {
    return slots();
  }

  /// How many executors there should be at first. Has no meaning where the cluster manager decides
  /// ([ExecutorSourceProvider#decidesHowMany]).
  int executors();

  /// Executors may come from now on. Called once.
  ///
  /// @param driver where they find the driver
  /// @throws io.kiln.api.KilnException if none will ever come
  void start(NodeAddress driver);

  /// The id that the cluster has given the application, after [#start]; empty where it gives none.
  default Optional<String> applicationId() {
    return Optional.empty();
  }

  /// Does what the allocation machine asks for, in the background. After [#start].
  void accept(LaunchRequest request);

  /// The application is over: waits until its processes, which somebody else has told to end, are
  /// gone, or nobody needs to know any more. Idempotent.
  @Override
  void close();
}
