package io.kiln.cluster.master;

/// What a leading master knows of its cluster. Its parts are mutable, the master's thread only.
///
/// @param applications by the incarnation of their clients, too
/// @param drivers by the ids of the requests that submitted them, too
/// @param grants the executors that applications have
/// @param queue who waits for room
record ClusterState(
    Workers workers,
    Registry<Long, ApplicationNode> applications,
    Registry<String, DriverNode> drivers,
    Grants grants,
    WaitingQueue queue) {

  static ClusterState of(MasterOptions options) {
    WaitingQueue queue = new WaitingQueue(Workers.order(options.scheduling().workerOrder()));
    return new ClusterState(
        new Workers(options.scheduling().workerOrder(), queue),
        new Registry<>(options.retention().applications()),
        new Registry<>(options.retention().drivers()),
        new Grants(),
        queue);
  }

  /// How many drivers don't wait for a worker.
  int runningDrivers() {
    return drivers.active().size() - queue.waitingDrivers();
  }
}
