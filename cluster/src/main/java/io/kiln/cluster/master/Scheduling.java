package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.Placement.Placed;
import io.kiln.cluster.protocol.DriverDescription;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/// Gives what is free to those that wait, drivers first, then applications: one round after each
/// event. Whom it tries, with which workers, the [WaitingQueue] says.
final class Scheduling {
  private final ClusterState cluster;
  private final WaitingQueue queue;
  private final Workers workers;
  private final ExecutorLifecycle executorLifecycle;
  private final DriverLifecycle driverLifecycle;
  private final MasterOptions.Scheduling options;

  /// After which worker the next driver goes.
  private long lastDriverWorker = -1;

  Scheduling(
      ClusterState cluster,
      ExecutorLifecycle executorLifecycle,
      DriverLifecycle driverLifecycle,
      MasterOptions.Scheduling options) {
    this.cluster = cluster;
    this.queue = cluster.queue();
    this.workers = cluster.workers();
    this.executorLifecycle = executorLifecycle;
    this.driverLifecycle = driverLifecycle;
    this.options = options;
  }

  void schedule(Turn turn) {
    queue.driversToTry().forEach(driver -> place(driver, turn));
    if (queue.hasApplicationsToTry() && !workers.free().isEmpty()) {
      placeExecutors(turn);
    }
    queue.endRound();
  }

  // drivers

  private void place(DriverNode driver, Turn turn) {
    if (!queue.isToBeTried(driver)) {
      return; // drivers before it took what workers had got
    }
    if (!mayRun(driver.description())) {
      queue.holdBack(driver);
      return;
    }
    Optional<WorkerNode> worker =
        queue.isUntried(driver)
            ? inTurn(driver.description())
            : firstFit(driver.description(), queue.grownWorkers());
    queue.markTried(driver);
    if (worker.isPresent()) {
      lastDriverWorker = worker.get().order();
      driverLifecycle.launch(driver, worker.get(), turn);
    }
  }

  /// Whether the share of the drivers allows it.
  private boolean mayRun(DriverDescription driver) {
    double part = 1 - options.shares().keptFromDrivers();
    return cluster.runningDrivers() < options.maxDrivers()
        && workers.driverCores() + driver.cores() <= workers.coresOpen() * part
        && workers.driverMemoryMebibytes() + driver.memoryMebibytes()
            <= workers.memoryOpenMebibytes() * part;
  }

  /// Spread out, each gets the next worker in turn; packed, the first that has room.
  private Optional<WorkerNode> inTurn(DriverDescription driver) {
    NavigableMap<Long, WorkerNode> open = workers.open();
    if (!options.spreadOutDrivers()) {
      return firstFit(driver, open.values());
    }
    Optional<WorkerNode> next = firstFit(driver, open.tailMap(lastDriverWorker, false).values());
    return next.isPresent()
        ? next
        : firstFit(driver, open.headMap(lastDriverWorker, true).values());
  }

  private static Optional<WorkerNode> firstFit(
      DriverDescription driver, Collection<WorkerNode> candidates) {
    for (WorkerNode worker : candidates) {
      if (worker.coresFree() >= driver.cores()
          && worker.memoryFreeMebibytes() >= driver.memoryMebibytes()) {
        return Optional.of(worker);
      }
    }
    return Optional.empty();
  }

  // executors

  private void placeExecutors(Turn turn) {
    List<String> pools = queue.waitingPools();
    if (pools.size() == 1) {
      placeAll(pools.getFirst(), turn);
    } else if (!pools.isEmpty()) {
      placeByShares(pools, turn);
    }
  }

  /// First come, first served.
  private void placeAll(String pool, Turn turn) {
    Optional<ApplicationNode> application = next(pool, Optional.empty());
    while (application.isPresent()) {
      place(application.get(), Integer.MAX_VALUE, turn);
      application = next(pool, application);
    }
  }

  /// The next in a pool for which there may be something.
  private Optional<ApplicationNode> next(String pool, Optional<ApplicationNode> after) {
    return workers.free().isEmpty() ? Optional.empty() : queue.next(pool, after);
  }

  /// Each pool gets as much as its share allows; what is left goes, one executor at a time, to the
  /// pool that has the least for its weight.
  private void placeByShares(List<String> competing, Turn turn) {
    Grants grants = cluster.grants();
    PoolShares pools = new PoolShares(options.shares(), grants::coresOf, competing);
    long cores = workers.coresOpen() - workers.driverCores() - grants.coresOutside(competing);
    for (String pool : pools.poorestFirst()) {
      Optional<ApplicationNode> application = next(pool, Optional.empty());
      int room = pools.roomWithinShare(pool, cores);
      while (application.isPresent() && room > 0) {
        place(application.get(), room, turn);
        room = pools.roomWithinShare(pool, cores);
        application = next(pool, application);
      }
    }
    placeRest(pools, competing, turn);
  }

  private void placeRest(PoolShares pools, List<String> competing, Turn turn) {
    Map<String, Optional<ApplicationNode>> firsts = new HashMap<>();
    competing.forEach(pool -> firsts.put(pool, next(pool, Optional.empty())));
    firsts.values().removeIf(Optional::isEmpty);
    while (!workers.free().isEmpty() && !firsts.isEmpty()) {
      String pool = pools.poorest(firsts.keySet());
      Optional<ApplicationNode> first = firsts.get(pool);
      int most = first.orElseThrow().description().executorCores().orElse(Integer.MAX_VALUE);
      if (place(first.get(), most, turn) == 0) {
        firsts.put(pool, next(pool, first));
        firsts.values().removeIf(Optional::isEmpty);
      }
    }
  }

  /// @param mostCores that it may get now
  /// @return how many executors it got
  private int place(ApplicationNode application, int mostCores, Turn turn) {
    Collection<WorkerNode> rooms =
        queue.isUntried(application) ? workers.free() : queue.grownWorkers();
    int executors = 0;
    int coresBefore = application.coresGranted();
    for (Collection<WorkerNode> some : application.hosts().rank(rooms)) {
      int coresPlaced = application.coresGranted() - coresBefore;
      executors += placeIn(some, application, mostCores - coresPlaced, turn);
    }
    if (executors > 0 && !application.wantsExecutors(turn.nowNanos())) {
      queue.remove(application);
    }
    return executors;
  }

  private int placeIn(
      Collection<WorkerNode> rooms, ApplicationNode application, int mostCores, Turn turn) {
    List<Placed<WorkerNode>> placed =
        Placement.place(
            application.demand(mostCores, turn.nowNanos()), rooms, options.spreadOutApplications());
    for (Placed<WorkerNode> one : placed) {
      executorLifecycle.launch(application, one, turn);
    }
    return placed.size();
  }
}
