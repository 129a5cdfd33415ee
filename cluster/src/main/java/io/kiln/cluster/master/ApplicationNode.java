package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Backoff;
import io.kiln.base.machine.RepeatedFailures;
import io.kiln.cluster.master.MasterEntry.ApplicationEntry;
import io.kiln.cluster.master.Placement.Demand;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ExecutorRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// An application, what it has and what it still wants; its states are drawn at [ApplicationState].
/// Mutable, the master's thread only.
final class ApplicationNode implements Registry.Node<Long> {
  /// Ids are kept in blocks, so that not every executor costs an entry.
  private static final int IDS_AT_ONCE = 128;

  private static final int FAILURES_MADE_GOOD_AT_ONCE = 2;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private final String id;
  private final long incarnation;
  private final Address address;
  private final ApplicationDescription description;
  private final Instant submitted;
  private final long order;
  private final Map<Integer, ExecutorGrant> executors = new TreeMap<>();
  private final Set<String> workersUsed = new LinkedHashSet<>();
  private final Set<Integer> leaving = new TreeSet<>();
  private final RepeatedFailures failures =
      new RepeatedFailures(FAILURES_MADE_GOOD_AT_ONCE, BACKOFF);
  private ApplicationState state;
  private Optional<Instant> ended;
  private String message;
  private PeerSession session;
  private final int maxCores;
  private ExecutorRequest request;
  private HostWishes hosts;
  private int coresGranted;
  private int nextExecutorId;
  private int executorIdsBelow;
  private boolean recovered;

  /// @param defaultCores that it may have if it doesn't say how many
  /// @param order counts applications
  ApplicationNode(ApplicationEntry entry, int defaultCores, long order) {
    this.id = entry.applicationId();
    this.incarnation = entry.incarnation();
    this.address = entry.address();
    this.description = entry.application();
    this.submitted = entry.submitted();
    this.order = order;
    this.maxCores = description.maxCores().orElse(defaultCores);
    this.request = entry.request();
    this.hosts = HostWishes.of(request);
    this.nextExecutorId = entry.executorIdsBelow();
    this.executorIdsBelow = entry.executorIdsBelow();
    this.state = entry.state();
    this.ended = entry.ended();
    this.message = entry.message();
  }

  /// As a master before has kept it.
  static ApplicationNode recover(ApplicationEntry entry, int defaultCores, long order) {
    ApplicationNode application = new ApplicationNode(entry, defaultCores, order);
    application.recovered = true;
    return application;
  }

  @Override
  public ApplicationEntry toEntry() {
    return new ApplicationEntry(
        id,
        incarnation,
        address,
        description,
        submitted,
        executorIdsBelow,
        request,
        state.isFinal() ? state : ApplicationState.UNKNOWN,
        ended,
        message);
  }

  @Override
  public String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  @Override
  public Long requestKey() {
    return incarnation;
  }

  @Override
  public boolean isOver() {
    return state.isFinal();
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

  /// Its executors that failed. One that stays ends the row.
  RepeatedFailures failures() {
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
    int executorId = executor.key().executorId();
    boolean had = executors.remove(executorId, executor);
    if (had && !leaving.remove(executorId)) {
      coresGranted -= executor.cores();
    }
    showState();
    return had;
  }

  /// From now on it does not count for what the application may have.
  ///
  /// @param executor that it has, and that was not leaving
  void leave(ExecutorGrant executor) {
    coresGranted -= executor.cores();
    leaving.add(executor.key().executorId());
  }

  /// Whether it has this executor, and counts it for what it may have.
  boolean isCounted(ExecutorGrant executor) {
    int executorId = executor.key().executorId();
    return executors.get(executorId) == executor && !leaving.contains(executorId);
  }

  /// Those whose workers are decommissioned: others may take their places while they are there.
  List<ExecutorGrant> leaving() {
    return leaving.stream().map(executors::get).toList();
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

  ExecutorRequest request() {
    return request;
  }

  HostWishes hosts() {
    return hosts;
  }

  /// @return whether it is newer than the one before: then an entry must be kept
  boolean take(ExecutorRequest newRequest) {
    boolean isNewer = newRequest.number() > request.number();
    if (isNewer) {
      request = newRequest;
      hosts = HostWishes.of(newRequest);
    }
    return isNewer;
  }

  /// @param mostCores that it may get now
  Demand demand(int mostCores, long nowNanos) {
    int cores = Math.min(maxCores - coresGranted, mostCores);
    int more = Math.max(0, request.total() - (executors.size() - leaving.size()));
    return new Demand(
        description.executorCores().orElse(0),
        description.executorMemoryMebibytes(),
        cores,
        Math.min(more, startableNow(nowNanos)));
  }

  private int startableNow(long nowNanos) {
    if (!failures.isBackingOff()) {
      return Integer.MAX_VALUE;
    }
    return failures.waitLeft(nowNanos).isZero() ? 1 : 0;
  }

  /// Whether it is there and wants more, and may have it.
  boolean wantsExecutors(long nowNanos) {
    return !isOver()
        && session != null
        && !session.isLost()
        && demand(Integer.MAX_VALUE, nowNanos).executors() > 0;
  }
}
