package io.kiln.cluster.master;

import io.kiln.cluster.master.MasterEntry.DriverEntry;
import io.kiln.cluster.master.WorkerNode.DriverKey;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverState;
import java.time.Instant;
import java.util.Optional;

/// A driver that the cluster runs. Mutable, the master's thread only; its states are drawn at
/// [DriverState].
final class DriverNode implements Registry.Node<String> {
  private final String id;
  private final String requestId;
  private final DriverDescription description;
  private final Instant submitted;
  private DriverState state = DriverState.SUBMITTED;
  private int launches;
  private Optional<String> workerId = Optional.empty();
  private String message = "";
  private Optional<Integer> exitCode = Optional.empty();
  private boolean killed;
  private long placeInLine;
  private long missedNanos;

  DriverNode(String id, String requestId, DriverDescription description, Instant submitted) {
    this.id = id;
    this.requestId = requestId;
    this.description = description;
    this.submitted = submitted;
  }

  /// As a master before has kept it.
  static DriverNode of(DriverEntry entry) {
    DriverNode driver =
        new DriverNode(entry.driverId(), entry.requestId(), entry.driver(), entry.submitted());
    driver.state = entry.state() == DriverState.RUNNING ? DriverState.UNKNOWN : entry.state();
    driver.launches = entry.launches();
    driver.workerId = entry.workerId();
    driver.message = entry.message();
    driver.exitCode = entry.exitCode();
    driver.killed = entry.killed();
    return driver;
  }

  @Override
  public DriverEntry toEntry() {
    return new DriverEntry(
        id,
        requestId,
        description,
        submitted,
        state,
        launches,
        workerId,
        message,
        exitCode,
        killed);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String requestKey() {
    return requestId;
  }

  DriverDescription description() {
    return description;
  }

  Instant submitted() {
    return submitted;
  }

  DriverState state() {
    return state;
  }

  @Override
  public boolean isOver() {
    return state.isFinal();
  }

  /// Where it runs or ran last.
  Optional<String> workerId() {
    return workerId;
  }

  String message() {
    return message;
  }

  Optional<Integer> exitCode() {
    return exitCode;
  }

  /// Whether it waits for a worker.
  boolean isWaiting() {
    return state == DriverState.SUBMITTED || state == DriverState.RELAUNCHING;
  }

  /// The run that counts.
  DriverKey key() {
    return new DriverKey(id, launches);
  }

  /// Whether this run is the one that counts, on this worker.
  boolean isRun(DriverKey key, String onWorker) {
    return !state.isFinal()
        && !isWaiting()
        && key.equals(key())
        && workerId.filter(onWorker::equals).isPresent();
  }

  void launch(String onWorker) {
    launches++;
    workerId = Optional.of(onWorker);
    state = DriverState.RUNNING;
    message = "";
  }

  /// @param why it runs again, perhaps
  void confirm(String why) {
    state = DriverState.RUNNING;
    message = why;
  }

  /// Its worker is lost, but it lives.
  void miss(String why, long nowNanos) {
    state = DriverState.UNKNOWN;
    message = why;
    missedNanos = nowNanos;
  }

  /// When it was known last to live.
  long missedNanos() {
    return missedNanos;
  }

  void waitAgain(DriverState waiting, String why) {
    state = waiting;
    message = why;
  }

  void end(DriverState finalState, String why, Optional<Integer> code) {
    state = finalState;
    message = why;
    exitCode = code;
  }

  void kill() {
    killed = true;
  }

  /// Whether somebody wants it to end.
  boolean isKilled() {
    return killed;
  }

  /// Among those that wait, the lower goes first; 0 if it has not waited under this master.
  long placeInLine() {
    return placeInLine;
  }

  void setPlaceInLine(long place) {
    placeInLine = place;
  }
}
