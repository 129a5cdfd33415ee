package io.kiln.cluster.master;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Who waits for room on workers, and who is tried next, with which workers: drivers in the order
/// in which they began to wait, then applications, which stand in one line a pool.
///
/// A driver or an application is, here:
///
/// ```
///              it wants room, or wants something else than before
///  not waiting ──────────────────────────────────────────────────► untried: all workers are tried
///     ▲                                                                │
///     │ it has all that it wants, or is over                           │ the round is over
///     │                                                                ▼
///     └──────────────────────────────────────────────────────────── tried: only workers are tried
///                                                               that got more room since
/// ```
///
/// So a round of trying costs little when little has changed, however many wait. Mutable, the
/// master's thread only.
final class WaitingQueue {
  private static final Comparator<ApplicationNode> BY_PRIORITY =
      Comparator.comparingInt(
              (ApplicationNode application) -> -application.description().share().priority())
          .thenComparingLong(ApplicationNode::order);

  private final WaitingLine<DriverNode> drivers =
      new WaitingLine<>(Comparator.comparingLong(DriverNode::placeInLine));

  /// By the name of the pool; only those in which somebody waits.
  private final TreeMap<String, WaitingLine<ApplicationNode>> pools = new TreeMap<>();

  /// Those that have room, and got more of it since the last round.
  private final Set<WorkerNode> grown = new LinkedHashSet<>();

  private final Comparator<WorkerNode> workerOrder;
  private long lastPlaceInLine;

  /// @param workerOrder the preferred first
  WaitingQueue(Comparator<WorkerNode> workerOrder) {
    this.workerOrder = workerOrder;
  }

  // what changes

  /// The driver began to wait, or ended that.
  void update(DriverNode driver) {
    if (!driver.isWaiting()) {
      drivers.remove(driver);
    } else if (!drivers.contains(driver)) {
      driver.setPlaceInLine(++lastPlaceInLine);
      drivers.add(driver);
    }
  }

  /// Something has changed that tells what the application wants: all workers are tried for it.
  void update(ApplicationNode application, long nowNanos) {
    remove(application);
    if (application.wantsExecutors(nowNanos)) {
      pools
          .computeIfAbsent(application.pool(), _ -> new WaitingLine<>(BY_PRIORITY))
          .add(application);
    }
  }

  /// The application has got all that it wants.
  void remove(ApplicationNode application) {
    WaitingLine<ApplicationNode> pool = pools.get(application.pool());
    if (pool != null) {
      pool.remove(application);
      if (pool.isEmpty()) {
        pools.remove(application.pool());
      }
    }
  }

  /// The worker's room has changed.
  ///
  /// @param grew whether there is more of it
  void roomChanged(WorkerNode worker, boolean grew) {
    if (!worker.hasRoom()) {
      grown.remove(worker);
    } else if (grew) {
      grown.add(worker);
    }
  }

  // a round

  /// The drivers for which there may be something now.
  List<DriverNode> driversToTry() {
    return drivers.list(grown.isEmpty());
  }

  /// Whether there may be something for an application.
  boolean hasApplicationsToTry() {
    return !grown.isEmpty() || pools.values().stream().anyMatch(WaitingLine::hasUntried);
  }

  /// The pools with applications that wait, by name.
  List<String> waitingPools() {
    return List.copyOf(pools.keySet());
  }

  /// Whose turn it is in a pool, after another, of those for which there may be something now.
  ///
  /// @param after empty: the first
  Optional<ApplicationNode> next(String pool, Optional<ApplicationNode> after) {
    return Optional.ofNullable(pools.get(pool))
        .flatMap(waiting -> waiting.next(after, grown.isEmpty()));
  }

  /// Whether there may be something for it now.
  boolean isToBeTried(DriverNode driver) {
    return drivers.isUntried(driver) || !grown.isEmpty();
  }

  boolean isUntried(DriverNode driver) {
    return drivers.isUntried(driver);
  }

  boolean isUntried(ApplicationNode application) {
    WaitingLine<ApplicationNode> pool = pools.get(application.pool());
    return pool != null && pool.isUntried(application);
  }

  /// Those to be tried for whoever was tried before, the preferred first.
  List<WorkerNode> grownWorkers() {
    return grown.stream().sorted(workerOrder).toList();
  }

  /// The driver was tried with the workers that it was to be tried with.
  void markTried(DriverNode driver) {
    drivers.markTried(driver);
  }

  /// Something else than room holds the driver up: all workers are tried for it once it may run.
  void holdBack(DriverNode driver) {
    drivers.add(driver);
  }

  /// All that wait were tried; what has changed is dealt with.
  void endRound() {
    pools.values().forEach(WaitingLine::markAllTried);
    grown.clear();
  }

  /// How many drivers wait for a worker.
  int waitingDrivers() {
    return drivers.size();
  }
}
