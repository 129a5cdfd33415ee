package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Backoff;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.FromWorker.DriverStateChanged;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerDecommissioning;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.ToMaster;
import io.kiln.cluster.protocol.ToWorker.FromItsMaster;
import io.kiln.cluster.protocol.ToWorker.HeartbeatSeen;
import io.kiln.cluster.protocol.ToWorker.ReconnectWorker;
import io.kiln.cluster.protocol.ToWorker.RegisterWorkerFailed;
import io.kiln.cluster.protocol.ToWorker.RegisteredWorker;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.session.FollowedMaster;
import io.kiln.cluster.session.FollowedMaster.Verdict;
import io.kiln.cluster.worker.WorkerEvent.HeartbeatDue;
import io.kiln.cluster.worker.WorkerEvent.RegistrationDue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Registers a worker with the master that leads, whichever that is at the time, and sends it
/// heartbeats. How one is followed is drawn at [FollowedMaster].
///
/// While none is followed it asks all masters, at first a few times within seconds, then at longer
/// intervals; a worker that leaves asks often, and for as long as it is there. Mutable, the
/// worker's thread only.
final class WorkerRegistration {
  private static final int QUICK_TRIES = 5;
  private static final Backoff QUICK_WAITS =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(8));
  private static final Duration SHORT_WAIT = Duration.ofSeconds(10);
  private static final Duration LONG_WAIT = Duration.ofSeconds(60);

  /// What a worker runs: all that a master has to know.
  interface Inventory {
    List<ExecutorStatus> executors();

    List<DriverReport> drivers();
  }

  private final WorkerIdentity identity;
  private final WorkerDescription description;
  private final List<Address> masters;
  private final WorkerOptions options;
  private final Inventory inventory;
  private final FollowedMaster master = new FollowedMaster();
  private String masterUrl = "";
  private String masterWebUiUrl = "";
  private int tries;
  private boolean wasRegistered;
  private boolean isLeaving;

  WorkerRegistration(
      WorkerIdentity identity,
      WorkerDescription description,
      List<Address> masters,
      WorkerOptions options,
      Inventory inventory) {
    this.identity = identity;
    this.description = description;
    this.masters = List.copyOf(masters);
    this.options = options;
    this.inventory = inventory;
  }

  /// Of the master that was heard last; may be empty.
  String masterUrl() {
    return masterUrl;
  }

  String masterWebUiUrl() {
    return masterWebUiUrl;
  }

  boolean isFollowing() {
    return master.isFollowing();
  }

  // registering

  /// Looks for the master that leads.
  void search(Turn turn) {
    register(masters, turn);
  }

  private void searchAnew(Turn turn) {
    tries = 0;
    search(turn);
  }

  /// Registers again with the master that is followed, so that it learns what is here; with
  /// whichever leads if none is.
  void registerAgain(Turn turn) {
    register(master.master().map(List::of).orElse(masters), turn);
  }

  private void register(List<Address> whom, Turn turn) {
    long session = master.search();
    RegisterWorker register =
        new RegisterWorker(
            identity.workerId(),
            identity.incarnation(),
            session,
            description,
            inventory.executors(),
            inventory.drivers());
    whom.forEach(address -> turn.send(address, register));
    turn.startTimer(RegistrationDue.class, wait(turn), new RegistrationDue(session));
  }

  private Duration wait(Turn turn) {
    if (isLeaving) {
      return QUICK_WAITS.first();
    }
    if (tries < QUICK_TRIES) {
      return QUICK_WAITS.after(tries + 1);
    }
    Duration wait = tries - QUICK_TRIES < options.initialRetries() ? SHORT_WAIT : LONG_WAIT;
    long millis = wait.toMillis();
    return Duration.ofMillis(millis / 2 + turn.random().nextLong(millis));
  }

  /// Nobody has answered.
  ///
  /// @return why it is of no use to ask again; empty if it is asked again
  Optional<String> due(RegistrationDue due, Turn turn) {
    if (due.session() != master.session() || master.isFollowing()) {
      return Optional.empty();
    }
    tries++;
    if (!isLeaving && tries - QUICK_TRIES > options.maxRetries()) {
      String who = String.join(", ", masters.stream().map(Address::process).toList());
      return Optional.of(
          "no master answered "
              + tries
              + " times: "
              + who
              + "; see that one is there, and start the worker again");
    }
    search(turn);
    return Optional.empty();
  }

  /// The worker leaves: it says so, and is given nothing more.
  void leave(Turn turn) {
    isLeaving = true;
    sendDecommissioning(turn);
  }

  // what masters say

  void standby(MasterInStandby standby, Turn turn) {
    if (master.isStandby(standby.session())) {
      searchAnew(turn);
    }
  }

  void changed(MasterChanged changed, Turn turn) {
    if (master.hear(changed.epoch())) {
      tries = 0;
      register(List.of(changed.master()), turn);
    }
  }

  void reconnect(ReconnectWorker reconnect, Turn turn) {
    if (reconnect.incarnation() == identity.incarnation()
        && master.isWithoutSession(reconnect.session(), reconnect.epoch())) {
      tries = 0;
      register(List.of(reconnect.master()), turn);
    }
  }

  void heartbeatSeen(HeartbeatSeen seen, Turn turn) {
    master.heartbeatSeen(seen.session(), seen.epoch(), turn.nowNanos());
  }

  /// Whether a worker that never was registered is told that it can't be.
  boolean isRefused(RegisterWorkerFailed failed) {
    return failed.session() == master.session() && !master.isFollowing() && !wasRegistered;
  }

  /// Whether this is the next command of the master that leads. Where commands before it were
  /// lost, it registers again.
  boolean isNext(FromItsMaster command, Turn turn) {
    Optional<Address> sender = master.master();
    Verdict verdict =
        command instanceof RegisteredWorker registered
            ? master.registered(command.stamp(), registered.master(), turn.nowNanos())
            : master.next(command.stamp(), turn.nowNanos());
    if (verdict == Verdict.REGISTER_AGAIN) {
      register(sender.map(List::of).orElse(masters), turn);
    }
    return verdict == Verdict.TAKE;
  }

  void registered(RegisteredWorker registered, Turn turn) {
    masterUrl = registered.masterUrl();
    masterWebUiUrl = registered.masterWebUiUrl();
    tries = 0;
    wasRegistered = true;
    turn.cancelTimer(RegistrationDue.class);
    startHeartbeatTimer(turn);
  }

  void linkLost(Address lost, Turn turn) {
    if (master.master().filter(lost::equals).isPresent()) {
      searchAnew(turn);
    }
  }

  // what the worker says

  /// @param trouble why the worker can start nothing for now; empty if it can
  /// @return whether a heartbeat was sent
  boolean heartbeatDue(String trouble, Turn turn) {
    if (!master.isFollowing()) {
      return false; // starts again with the next session
    }
    if (master.silentNanos(turn.nowNanos()) > options.silence().toNanos()) {
      searchAnew(turn);
      return false;
    }
    sendHeartbeat(trouble, turn);
    startHeartbeatTimer(turn);
    return true;
  }

  void sendHeartbeat(String trouble, Turn turn) {
    send(
        new WorkerHeartbeat(
            identity.workerId(),
            identity.incarnation(),
            master.session(),
            master.epoch(),
            description.address(),
            master.seen(),
            trouble),
        turn);
  }

  private void startHeartbeatTimer(Turn turn) {
    turn.startTimer(HeartbeatDue.class, options.heartbeatInterval(), new HeartbeatDue());
  }

  void report(ExecutorStatus executor, Turn turn) {
    send(
        new ExecutorStateChanged(
            identity.workerId(), identity.incarnation(), master.session(), executor),
        turn);
  }

  void report(DriverReport driver, Turn turn) {
    send(
        new DriverStateChanged(
            identity.workerId(), identity.incarnation(), master.session(), driver),
        turn);
  }

  void sendDecommissioning(Turn turn) {
    send(
        new WorkerDecommissioning(identity.workerId(), identity.incarnation(), master.session()),
        turn);
  }

  void unregister(Turn turn) {
    send(new UnregisterWorker(identity.workerId(), identity.incarnation(), master.session()), turn);
  }

  private void send(ToMaster message, Turn turn) {
    master.master().ifPresent(address -> turn.send(address, message));
  }
}
