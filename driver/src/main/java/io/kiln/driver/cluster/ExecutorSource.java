package io.kiln.driver.cluster;

import io.kiln.network.transport.NodeAddress;
import io.kiln.process.ScratchDirectories;
import io.kiln.scheduler.allocation.LaunchRequest;

/// Where an application's executors come from: starts their processes or has them started, watches
/// them, and tells the allocation machine. Thread-safe.
///
/// How many there should be, the allocation machine alone decides. It tells the source a total, and
/// another whenever that changes ([io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors]).
/// The source names the executors. It reports each that exists, and what became of it. One that
/// starts processes itself may leave the counting to
/// [io.kiln.scheduler.allocation.ExecutorRoster].
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

  /// How many executors there should be until the application wants another number, by its master
  /// and its settings. [io.kiln.scheduler.allocation.ExecutorTarget#NO_LIMIT]: as many as the
  /// application may have.
  int executors();

  /// Where the driver stores what it stores.
  ///
  /// @param usual where the settings say
  default ScratchDirectories driverScratch(ScratchDirectories usual) {
    return usual;
  }

  /// Makes the application known. Executors may come from now on. Called once, and first of all
  /// that has to do with executors.
  ///
  /// @param driver where they find the driver
  /// @return the application's id: the cluster's, or one made here where a cluster gives none
  /// @throws io.kiln.api.KilnException if none will ever come
  String register(NodeAddress driver);

  /// Does what the allocation machine asks for, in the background. After [#register].
  void accept(LaunchRequest request);

  /// The application is over: waits until its processes, which somebody else has told to end, are
  /// gone, or nobody needs to know any more. Idempotent.
  @Override
  void close();
}
