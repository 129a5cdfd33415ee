package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.cluster.master.MasterEntry.ApplicationEntry;
import io.kiln.cluster.master.Placement.Demand;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationState;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// An application, what it has and what it still wants. Mutable, the master's thread only.
final class ApplicationNode {
  /// Ids are kept in blocks, so that not every executor costs an entry.
  private static final int IDS_AT_ONCE = 128;

  private final String id;
  private final long incarnation;
  private final Address address;
  private final ApplicationDescription description;
  private final Instant submitted;
  private final long order;
  private final Map<Integer, ExecutorGrant> executors = new TreeMap<>();
  private final Set<String> workersUsed = new LinkedHashSet<>();
  private final FailedExecutors failures = new FailedExecutors();
  private ApplicationState state = ApplicationState.UNKNOWN;
  private Optional<Instant> ended = Optional.empty();
  private String message = "";
  private PeerSession session;
  private int maxCores;
  private int executorLimit;
  private int coresGranted;
  private int leaving;
  private int nextExecutorId;
  private int executorIdsBelow;
  private boolean tried;
  private boolean recovered;

  /// @param defaultCores that it may have if it doesn't say how many
  /// @param order counts applications
  ApplicationNode(
      String id,
      long incarnation,
      Address address,
      ApplicationDescription description,
      Instant submitted,
      int defaultCores,
      long order) {
    this.id = id;
    this.incarnation = incarnation;
    this.address = address;
    this.description = description;
    this.submitted = submitted;
    this.order = order;
    this.maxCores = description.maxCores().orElse(defaultCores);
    this.executorLimit = description.executorLimit().orElse(Integer.MAX_VALUE);
  }

  /// As a master before has kept it.
  static ApplicationNode of(ApplicationEntry entry, int defaultCores, long order) {
    ApplicationNode application =
        new ApplicationNode(
            entry.applicationId(),
            entry.incarnation(),
            entry.address(),
            entry.application(),
            entry.submitted(),
            defaultCores,
            order);
    application.state = entry.state();
    application.ended = entry.ended();
    application.message = entry.message();
    application.nextExecutorId = entry.executorIdsBelow();
    application.executorIdsBelow = entry.executorIdsBelow();
    application.recovered = true;
    return application;
  }

  ApplicationEntry toEntry() {
    return new ApplicationEntry(
        id,
        incarnation,
        address,
        description,
        submitted,
        executorIdsBelow,
        state.isFinal() ? state : ApplicationState.UNKNOWN,
        ended,
        message);
  }

  String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  Address address() {
    return address;
  }

  ApplicationDescription description() {
    return description;
  }

  Instant submitted() {
    return submitted;
  }

  long order() {
    return order;
  }

  String pool() {
    return description.share().pool();
  }

  ApplicationState state() {
    return state;
  }

  /// Whether it runs in this driver.
  boolean isOf(DriverNode driver) {
    return description.driverId().filter(driver.id()::equals).isPresent();
  }

  /// Whether it is connected, or may still come to a master that has taken over.
  boolean isAwaitedOrHere() {
    return state == ApplicationState.UNKNOWN
        || session().filter(known -> !known.isLost()).isPresent();
  }

  Optional<Instant> ended() {
    return ended;
  }

  String message() {
    return message;
  }

  void end(ApplicationState finalState, String why, Instant now) {
    state = finalState;
    message = why;
    ended = Optional.of(now);
  }

  /// Empty until it has registered with this master.
  Optional<PeerSession> session() {
    return Optional.ofNullable(session);
  }

  void setSession(PeerSession newSession) {
    session = newSession;
    showState();
  }

  private void showState() {
    if (session != null && !state.isFinal()) {
      state = executors.isEmpty() ? ApplicationState.WAITING : ApplicationState.RUNNING;
    }
  }

  /// By id; those that are being stopped too, for they still take room.
  Map<Integer, ExecutorGrant> executors() {
    return executors;
  }

  /// Whether something of it may be on this worker: what a master before gave it, nobody knows.
  boolean mayHaveUsed(String workerId) {
    return recovered || workersUsed.contains(workerId);
  }

  FailedExecutors failures() {
    return failures;
  }

  void add(ExecutorGrant executor) {
    executors.put(executor.key().executorId(), executor);
    coresGranted += executor.cores();
    workersUsed.add(executor.worker().id());
    showState();
  }

  /// @return whether it had this executor
  boolean remove(ExecutorGrant executor) {
    boolean had = executors.remove(executor.key().executorId(), executor);
    if (had && executor.isLeaving()) {
      leaving--;
    } else if (had) {
      coresGranted -= executor.cores();
    }
    showState();
    return had;
  }

  /// From now on it does not count for what the application may have.
  ///
  /// @param executor that it has, and that was not leaving
  void leave(ExecutorGrant executor) {
    executor.leave();
    coresGranted -= executor.cores();
    leaving++;
  }

  /// Without those that are leaving.
  int coresGranted() {
    return coresGranted;
  }

  /// Whether [#takeExecutorId] gives an id that no entry covers yet.
  boolean needsExecutorIds() {
    return nextExecutorId == executorIdsBelow;
  }

  /// Then an entry must be kept.
  void reserveExecutorIds() {
    executorIdsBelow += IDS_AT_ONCE;
  }

  int takeExecutorId() {
    return nextExecutorId++;
  }

  int executorLimit() {
    return executorLimit;
  }

  void limitExecutors(int limit) {
    executorLimit = limit;
  }

  /// @param mostCores that it may get now
  Demand demand(int mostCores, long nowNanos) {
    int cores = Math.min(maxCores - coresGranted, mostCores);
    int more = Math.max(0, executorLimit - (executors.size() - leaving));
    return new Demand(
        description.executorCores().orElse(0),
        description.executorMemoryMebibytes(),
        cores,
        Math.min(more, failures.mayStart(nowNanos)));
  }

  /// Whether it is there and wants more, and may have it.
  boolean isHungry(long nowNanos) {
    return !state.isFinal()
        && session != null
        && !session.isLost()
        && demand(Integer.MAX_VALUE, nowNanos).executors() > 0;
  }

  /// Whether all open workers were tried for what it wants, so that only those with more room need
  /// to be looked at.
  boolean isTried() {
    return tried;
  }

  void setTried(boolean isTried) {
    tried = isTried;
  }
}
