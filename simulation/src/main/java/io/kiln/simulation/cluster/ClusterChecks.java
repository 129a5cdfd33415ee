package io.kiln.simulation.cluster;

import io.kiln.cluster.protocol.DriverState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What must hold in every cluster at any time, and what must once faults have stopped.
final class ClusterChecks {
  private final Set<String> executorsStarted = new HashSet<>();
  private final Set<String> executorsRunning = new TreeSet<>();
  private final Set<String> driversRunning = new TreeSet<>();
  private final Set<String> launchesStarted = new HashSet<>();
  private final Map<String, DriverState> ends = new HashMap<>();

  /// Launches whose process ended with code 0, and their workers.
  private final Map<String, String> finishedOn = new HashMap<>();

  private final Set<String> workersThatLeft = new HashSet<>();

  static void demand(boolean claim, String otherwise) {
    if (!claim) {
      throw new AssertionError(otherwise);
    }
  }

  /// @param key of the executor in the cluster
  void executorStarts(String key) {
    demand(executorsStarted.add(key), "executor " + key + " was granted twice");
    executorsRunning.add(key);
  }

  void executorEnded(String key) {
    executorsRunning.remove(key);
  }

  /// @param key of one launch of a driver
  void driverStarts(String key, int attempt) {
    demand(attempt > 1 || launchesStarted.add(key), "driver " + key + " was launched twice");
    driversRunning.add(key);
  }

  void driverEnded(String key) {
    driversRunning.remove(key);
  }

  /// @param key of one launch of a driver, whose process has ended with code 0
  void driverFinished(String key, String worker) {
    finishedOn.put(key, worker);
  }

  /// The worker has ended, as it was told; not since masters did not answer.
  void workerLeft(String worker) {
    workersThatLeft.add(worker);
  }

  /// A master keeps that a driver has ended badly, or is to run again.
  ///
  /// @param key of one launch of a driver
  void driverIsGivenUp(String key, String why) {
    String worker = finishedOn.get(key);
    demand(
        worker == null || !workersThatLeft.contains(worker),
        "driver " + key + " has finished, and its worker has left in order, but: " + why);
  }

  /// A master says how a driver is.
  void driverIs(String driverId, DriverState state) {
    DriverState end = ends.get(driverId);
    demand(
        end == null || end == state,
        "driver " + driverId + " was " + end + ", but now is " + state);
    if (state.isFinal()) {
      ends.put(driverId, state);
    }
  }

  /// How many executors of an application run, or are being started.
  int countRunning(String applicationId) {
    return (int)
        executorsRunning.stream().filter(key -> key.startsWith(applicationId + "/")).count();
  }

  boolean nothingIsLeft() {
    return executorsRunning.isEmpty() && driversRunning.isEmpty();
  }

  /// Everything is over.
  void demandNothingLeft() {
    demand(executorsRunning.isEmpty(), "orphan executors: " + executorsRunning);
    demand(driversRunning.isEmpty(), "orphan drivers: " + driversRunning);
  }
}
