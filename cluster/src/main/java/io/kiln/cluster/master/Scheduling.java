package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.Placement.Placed;
import io.kiln.cluster.protocol.DriverDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;

/// Gives what is free to those that wait: drivers first, then executors. It costs little when
/// little has changed: one that was tried without success is tried again only with the workers that
/// got more room since.
final class Scheduling {
  private final Workers workers;
  private final Applications applications;
  private final Drivers drivers;
  private final ExecutorLifecycle executorLifecycle;
  private final DriverLifecycle driverLifecycle;
  private final MasterOptions.Scheduling options;

  /// After which worker the next driver goes.
  private long lastDriverWorker = -1;

  Scheduling(
      Workers workers,
      Applications applications,
      Drivers drivers,
      ExecutorLifecycle executorLifecycle,
      DriverLifecycle driverLifecycle,
      MasterOptions.Scheduling options) {
    this.workers = workers;
    this.applications = applications;
    this.drivers = drivers;
    this.executorLifecycle = executorLifecycle;
    this.driverLifecycle = driverLifecycle;
    this.options = options;
  }

  void schedule(Turn turn) {
    placeDrivers(turn);
    if (applications.hasUntried() || !workers.freed().isEmpty()) {
      placeExecutors(turn);
      applications.markTried();
    }
    workers.forgetFreed();
  }

  // drivers

  private void placeDrivers(Turn turn) {
    if (drivers.waiting().isEmpty()) {
      return;
    }
    for (DriverNode driver : List.copyOf(drivers.waiting())) {
      if (driver.isTried() && workers.freed().isEmpty()) {
        continue;
      }
      if (!mayRun(driver.description())) {
        driver.setTried(false); // it is not for want of a worker
        continue;
      }
      Optional<WorkerNode> worker =
          driver.isTried()
              ? firstFit(driver.description(), workers.freed())
              : inTurn(driver.description());
      driver.setTried(true);
      if (worker.isPresent()) {
        lastDriverWorker = worker.get().order();
        driverLifecycle.launch(driver, worker.get(), turn);
      }
    }
  }

  /// Whether the share of the drivers allows it.
  boolean mayRun(DriverDescription driver) {
    double part = 1 - options.shares().keptFromDrivers();
    return drivers.running() < options.maxDrivers()
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
      DriverDescription driver, Iterable<WorkerNode> candidates) {
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
    if (workers.free().isEmpty()) {
      return;
    }
    List<String> pools = List.copyOf(applications.hungryPools());
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
    return workers.free().isEmpty()
        ? Optional.empty()
        : applications.nextHungry(pool, after, workers.freed().isEmpty());
  }

  /// Each pool gets as much as its share allows; what is left goes, one executor at a time, to the
  /// pool that has the least for its weight.
  private void placeByShares(List<String> competing, Turn turn) {
    PoolShares pools = new PoolShares(options.shares(), applications::coresOf, competing);
    long cores = workers.coresOpen() - workers.driverCores() - applications.coresOutside(competing);
    for (String pool : pools.poorestFirst()) {
      Optional<ApplicationNode> application = next(pool, Optional.empty());
      int room = pools.roomWithinShare(pool, cores);
      while (application.isPresent() && room > 0) {
        place(application.get(), room, turn);
        room = pools.roomWithinShare(pool, cores);
        application = next(pool, application);
      }
    }
    Map<String, Optional<ApplicationNode>> turns = new HashMap<>();
    competing.forEach(pool -> turns.put(pool, next(pool, Optional.empty())));
    turns.values().removeIf(Optional::isEmpty);
    while (!workers.free().isEmpty() && !turns.isEmpty()) {
      String pool = pools.poorest(turns.keySet());
      Optional<ApplicationNode> first = turns.get(pool);
      int most = first.orElseThrow().description().executorCores().orElse(Integer.MAX_VALUE);
      if (place(first.get(), most, turn) == 0) {
        turns.put(pool, next(pool, first));
        turns.values().removeIf(Optional::isEmpty);
      }
    }
  }

  /// @param mostCores that it may get now
  /// @return how many executors it got
  private int place(ApplicationNode application, int mostCores, Turn turn) {
    NavigableSet<WorkerNode> rooms = application.isTried() ? workers.freed() : workers.free();
    List<Placed<WorkerNode>> placed =
        Placement.place(
            application.demand(mostCores, turn.nowNanos()), rooms, options.spreadOutApplications());
    for (Placed<WorkerNode> one : placed) {
      executorLifecycle.launch(application, one, turn);
    }
    if (!placed.isEmpty() && !application.isHungry(turn.nowNanos())) {
      applications.satisfied(application);
    }
    return placed.size();
  }
}
