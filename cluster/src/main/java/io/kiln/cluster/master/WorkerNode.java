package io.kiln.cluster.master;

import io.kiln.base.machine.Backoff;
import io.kiln.base.machine.RepeatedFailures;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A worker and what takes room there. Its room is changed by [Workers] only, which keeps an order
/// of it. Mutable, the master's thread only.
final class WorkerNode implements Placement.Room {

  /// A run of a driver that takes room.
  ///
  /// @param launch which of its launches
  record DriverKey(String driverId, int launch) {}

  /// @param key of the run
  record DriverGrant(DriverKey key, int cores, int memoryMebibytes) {}

  private static final int BEARABLE_FAILURES = 1;
  private static final Backoff REST = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(2));

  private final String id;
  private final long incarnation;
  private final WorkerDescription description;
  private final long order;
  private final Map<ExecutorGrant.Key, ExecutorGrant> executors = new LinkedHashMap<>();
  private final Map<DriverKey, DriverGrant> drivers = new LinkedHashMap<>();
  private final RepeatedFailures failedStarts = new RepeatedFailures(BEARABLE_FAILURES, REST);
  private WorkerState state = WorkerState.UNKNOWN;
  private boolean leftOut;
  private String trouble = "";
  private PeerSession session;
  private int coresUsed;
  private int memoryUsed;
  private int driverCores;
  private int driverMemory;

  /// @param order counts workers
  WorkerNode(String id, long incarnation, WorkerDescription description, long order) {
    this.id = id;
    this.incarnation = incarnation;
    this.description = description;
    this.order = order;
  }

  String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  WorkerDescription description() {
    return description;
  }

  long order() {
    return order;
  }

  WorkerState state() {
    return state;
  }

  void setState(WorkerState newState) {
    state = newState;
  }

  /// Empty until it has registered with this master.
  Optional<PeerSession> session() {
    return Optional.ofNullable(session);
  }

  void setSession(PeerSession newSession) {
    session = newSession;
  }

  /// Whether it is there, as far as anybody can know.
  boolean isPresent() {
    return (state == WorkerState.ALIVE || state == WorkerState.DECOMMISSIONED)
        && session != null
        && !session.isLost();
  }

  /// Whether it may be given more.
  boolean isOpen() {
    return state == WorkerState.ALIVE && session != null && !session.isLost() && !isLeftOut();
  }

  /// Whether it may be given more, and has a core left.
  boolean hasRoom() {
    return isOpen() && coresFree() > 0;
  }

  /// Executors that it could not start. One that it starts ends the row.
  RepeatedFailures failedStarts() {
    return failedStarts;
  }

  /// Whether it is given nothing for a while, since it could not start what it was given, or says
  /// that it can start nothing.
  boolean isLeftOut() {
    return leftOut || !trouble.isEmpty();
  }

  /// Why it is left out, for people; empty if it is not.
  String whyLeftOut() {
    if (!trouble.isEmpty()) {
      return trouble;
    }
    return leftOut
        ? "it could not start "
            + failedStarts.inRow()
            + " executors in a row; the last: "
            + failedStarts.last()
        : "";
  }

  String trouble() {
    return trouble;
  }

  void setTrouble(String newTrouble) {
    trouble = newTrouble;
  }

  void setLeftOut(boolean newLeftOut) {
    leftOut = newLeftOut;
  }

  Map<ExecutorGrant.Key, ExecutorGrant> executors() {
    return executors;
  }

  Map<DriverKey, DriverGrant> drivers() {
    return drivers;
  }

  void take(int cores, int memoryMebibytes) {
    coresUsed += cores;
    memoryUsed += memoryMebibytes;
  }

  void takeForDriver(int cores, int memoryMebibytes) {
    driverCores += cores;
    driverMemory += memoryMebibytes;
  }

  /// What drivers take, of what is used.
  int driverCores() {
    return driverCores;
  }

  int driverMemoryMebibytes() {
    return driverMemory;
  }

  int coresUsed() {
    return coresUsed;
  }

  int memoryUsedMebibytes() {
    return memoryUsed;
  }

  @Override
  public int coresFree() {
    return description.cores() - coresUsed;
  }

  @Override
  public int memoryFreeMebibytes() {
    return description.memoryMebibytes() - memoryUsed;
  }
}
