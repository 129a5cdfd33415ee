package io.kiln.cluster.client;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Backoff;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.client.ClientEvent.HeartbeatDue;
import io.kiln.cluster.client.ClientEvent.LinkLost;
import io.kiln.cluster.client.ClientEvent.RegistrationDue;
import io.kiln.cluster.client.ClientEvent.RequestExecutors;
import io.kiln.cluster.client.ClientEvent.Start;
import io.kiln.cluster.client.ClientEvent.Stop;
import io.kiln.cluster.client.ClientEvent.StopDue;
import io.kiln.cluster.client.ClientNews.Connected;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientNews.Disconnected;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ClientMessage;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromApplication;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.Stamp;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToApplication.ApplicationRemoved;
import io.kiln.cluster.protocol.ToApplication.ExecutorAdded;
import io.kiln.cluster.protocol.ToApplication.ExecutorDecommissioned;
import io.kiln.cluster.protocol.ToApplication.ExecutorUpdated;
import io.kiln.cluster.protocol.ToApplication.FromItsMaster;
import io.kiln.cluster.protocol.ToApplication.HeartbeatSeen;
import io.kiln.cluster.protocol.ToApplication.ReconnectApplication;
import io.kiln.cluster.protocol.ToApplication.RegisterApplicationFailed;
import io.kiln.cluster.protocol.ToApplication.RegisteredApplication;
import io.kiln.cluster.protocol.ToApplication.WaitingForResources;
import io.kiln.cluster.protocol.ToApplication.WorkerRemoved;
import io.kiln.cluster.session.FollowedMaster;
import io.kiln.cluster.session.FollowedMaster.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Has an application run on a standalone cluster: registers it with the master that leads,
/// whichever that is at the time, and tells of its executors.
///
/// ```
///              a master has registered it
///  STARTING ──────────────────────────────► REGISTERED
///   │    │                                   │     │
///   │    └── stopped ──► STOPPING ◄── stopped┘     │
///   │ no master answers,     │ a master knows,     │ its master removed it
///   ▼ or one refuses it      ▼ or none was found   ▼
///  DEAD ◄────────────────────┴─────────────────────┘
/// ```
///
/// It asks all masters, three times within a minute; if none answers, the application is dead.
/// While one answers that it is in standby, another is about to lead, so it asks again soon. Once
/// it is registered, it looks for its master for as long as that takes, or until the application is
/// stopped: executors go on without a master. How it follows one is drawn at [FollowedMaster].
public final class ApplicationClient implements Machine<ClientMessage> {
  private static final Backoff SEARCH = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(16));

  private enum Phase {
    STARTING,
    REGISTERED,
    STOPPING,
    DEAD
  }

  private final long incarnation;
  private final Address self;
  private final ApplicationDescription description;
  private final List<Address> masters;
  private final Address application;
  private final ClientOptions options;
  private final FollowedMaster master = new FollowedMaster();
  private final HeldExecutors executors;
  private Phase phase = Phase.STARTING;
  private Optional<String> applicationId = Optional.empty();
  private ExecutorRequest request;

  /// Number of the last request that went out in this session.
  private long toldRequest;

  private boolean isConnected;
  private long startNanos;
  private int tries;
  private int standbys;

  /// @param incarnation drawn at random, once
  /// @param self where this machine receives
  /// @param executors how many it wants at first
  /// @param masters at which a master may be
  /// @param application takes the [ClientNews]
  public ApplicationClient(
      long incarnation,
      Address self,
      ApplicationDescription description,
      int executors,
      List<Address> masters,
      Address application,
      ClientOptions options) {
    this.incarnation = incarnation;
    this.self = self;
    this.description = description;
    this.masters = List.copyOf(masters);
    this.application = application;
    this.options = options;
    this.executors = new HeldExecutors(application);
    this.request = ExecutorRequest.first(executors);
  }

  @Override
  public void handle(ClientMessage message, Turn turn) {
    if (phase == Phase.DEAD) {
      return;
    }
    switch (message) {
      case ToApplication said -> handle(said, turn);
      case ClientEvent event -> handle(event, turn);
      default -> throw new IllegalArgumentException("a client can't take " + message);
    }
  }

  // masters

  private void handle(ToApplication said, Turn turn) {
    switch (said) {
      case MasterInStandby standby -> standby(standby, turn);
      case MasterChanged changed -> {
        if (master.hear(changed.epoch())) {
          register(List.of(changed.master()), turn);
        }
      }
      case RegisterApplicationFailed failed -> {
        if (failed.session() == master.session() && phase == Phase.STARTING) {
          die(ApplicationState.FAILED, "the master refused it: " + failed.reason(), turn);
        }
      }
      case ReconnectApplication reconnect -> {
        if (reconnect.incarnation() == incarnation
            && master.isWithoutSession(reconnect.session(), reconnect.epoch())) {
          register(List.of(reconnect.master()), turn);
        }
      }
      case HeartbeatSeen seen ->
          master.heartbeatSeen(seen.session(), seen.epoch(), turn.nowNanos());
      case ApplicationRemoved removed -> removed(removed, turn);
      case FromItsMaster stamped -> take(stamped, turn);
    }
  }

  private void standby(MasterInStandby standby, Turn turn) {
    if (standby.session() != master.session()) {
      return;
    }
    if (master.isFollowing()) {
      disconnected("the master at " + standby.masterUrl() + " does not lead any more", turn);
      return;
    }
    standbys++;
    if (standbys == 1 && applicationId.isEmpty()) {
      awaitAnswer(SEARCH.after(tries + 1), turn);
    }
    if (standbys == masters.size() && phase == Phase.STARTING) {
      turn.send(
          application,
          new Waiting("all masters are in standby; it is asked again until one leads"));
    }
  }

  private void removed(ApplicationRemoved removed, Turn turn) {
    if (removed.incarnation() != incarnation || removed.epoch() < master.epoch()) {
      return;
    }
    if (phase == Phase.STOPPING) {
      die(ApplicationState.FINISHED, "it was stopped", turn);
    } else {
      die(removed.state(), "the master removed it: " + removed.message(), turn);
    }
  }

  private void take(FromItsMaster said, Turn turn) {
    Optional<Address> sender = master.master();
    Verdict verdict =
        said instanceof RegisteredApplication registered
            ? master.registered(said.stamp(), registered.master(), turn.nowNanos())
            : master.next(said.stamp(), turn.nowNanos());
    switch (verdict) {
      case TAKE -> execute(said, turn);
      case DROP -> {}
      case REGISTER_AGAIN -> register(sender.map(List::of).orElse(masters), turn);
    }
  }

  private void execute(FromItsMaster said, Turn turn) {
    switch (said) {
      case RegisteredApplication registered -> registered(registered, turn);
      case ExecutorAdded added -> executors.added(added.executor(), turn);
      case ExecutorUpdated updated -> executors.updated(updated, turn);
      case ExecutorDecommissioned(Stamp _, int id, String why) ->
          executors.decommissioned(id, why, turn);
      case WorkerRemoved removed ->
          turn.send(
              application, new WorkerGone(removed.workerId(), removed.host(), removed.message()));
      case WaitingForResources waiting -> turn.send(application, new Waiting(waiting.message()));
    }
    if (!executors.unwanted().isEmpty() && said instanceof ExecutorAdded) {
      sendKill(executors.unwanted(), turn);
    }
  }

  private void registered(RegisteredApplication registered, Turn turn) {
    applicationId = Optional.of(registered.applicationId());
    turn.cancelTimer(RegistrationDue.class);
    tries = 0;
    if (phase == Phase.STOPPING) {
      sendUnregister(turn);
      return;
    }
    phase = Phase.REGISTERED;
    if (!isConnected) {
      isConnected = true;
      turn.send(application, new Connected(registered.applicationId(), registered.masterUrl()));
    }
    sendRequest(turn); // what was asked for since the registration left
    executors.listed(registered.executors(), registered.complete(), turn);
    if (!executors.unwanted().isEmpty()) {
      sendKill(executors.unwanted(), turn);
    }
    turn.startTimer(HeartbeatDue.class, options.heartbeatInterval(), new HeartbeatDue());
  }

  private void disconnected(String why, Turn turn) {
    if (isConnected) {
      isConnected = false;
      turn.send(application, new Disconnected(why));
    }
    if (phase == Phase.STOPPING) {
      turn.startTimer(StopDue.class, options.stopWaitWithoutMaster(), new StopDue());
    }
    tries = 0;
    register(masters, turn);
  }

  private void register(List<Address> whom, Turn turn) {
    standbys = 0;
    long session = master.search();
    RegisterApplication register =
        new RegisterApplication(incarnation, session, applicationId, self, description, request);
    toldRequest = request.number();
    whom.forEach(address -> turn.send(address, register));
    awaitAnswer(
        applicationId.isPresent() ? SEARCH.after(tries + 1) : options.registrationWait(), turn);
  }

  private void awaitAnswer(Duration usual, Turn turn) {
    Duration left = Duration.ofNanos(startNanos - turn.nowNanos()).plus(options.startWait());
    Duration wait = applicationId.isPresent() || usual.compareTo(left) < 0 ? usual : left;
    turn.startTimer(RegistrationDue.class, wait, new RegistrationDue(master.session()));
  }

  private void registrationDue(RegistrationDue due, Turn turn) {
    if (due.session() != master.session() || master.isFollowing()) {
      return;
    }
    tries++;
    boolean late = turn.nowNanos() - startNanos >= options.startWait().toNanos();
    if (applicationId.isEmpty() && late) {
      String who = String.join(", ", masters.stream().map(Address::process).toList());
      String what =
          standbys > 0
              ? "no master leads"
              : "no master answered within " + options.startWait().toSeconds() + " s";
      die(
          ApplicationState.FAILED,
          what + ": " + who + "; see that one runs, and that spark.master names it",
          turn);
    } else {
      register(masters, turn);
    }
  }

  private void heartbeatDue(Turn turn) {
    if (!master.isFollowing() || phase != Phase.REGISTERED) {
      return; // starts again with the next session
    }
    if (master.silentNanos(turn.nowNanos()) > options.silence().toNanos()) {
      disconnected("the master was silent for " + options.silence().toSeconds() + " s", turn);
      return;
    }
    send(
        new ApplicationHeartbeat(
            incarnation,
            master.session(),
            master.epoch(),
            applicationId.orElseThrow(),
            self,
            master.seen(),
            request,
            executors.unwanted()),
        turn);
    turn.startTimer(HeartbeatDue.class, options.heartbeatInterval(), new HeartbeatDue());
  }

  private void send(FromApplication message, Turn turn) {
    master.master().ifPresent(address -> turn.send(address, message));
  }

  // the application

  private void handle(ClientEvent event, Turn turn) {
    switch (event) {
      case Start _ -> {
        startNanos = turn.nowNanos();
        register(masters, turn);
      }
      case Stop _ -> stop(turn);
      case RequestExecutors asked -> request(asked, turn);
      case ClientEvent.KillExecutors(List<Integer> ids) -> sendKill(executors.kill(ids), turn);
      case LinkLost(Address lost) -> {
        if (master.master().filter(lost::equals).isPresent()) {
          disconnected("the connection to the master was lost", turn);
        }
      }
      case RegistrationDue due -> registrationDue(due, turn);
      case HeartbeatDue _ -> heartbeatDue(turn);
      case StopDue _ -> {
        if (phase == Phase.STOPPING) {
          die(ApplicationState.FINISHED, "it was stopped; no master acknowledged it", turn);
        }
      }
    }
  }

  private void request(RequestExecutors asked, Turn turn) {
    if (!request.asksAs(asked.total(), asked.wantedHosts(), asked.avoidedHosts())) {
      request = request.next(asked.total(), asked.wantedHosts(), asked.avoidedHosts());
      sendRequest(turn);
    }
  }

  /// Without a master, the next registration tells it.
  private void sendRequest(Turn turn) {
    if (master.isFollowing() && phase == Phase.REGISTERED && toldRequest < request.number()) {
      toldRequest = request.number();
      send(
          new FromApplication.RequestExecutors(
              incarnation, master.session(), applicationId.orElseThrow(), request),
          turn);
    }
  }

  private void sendKill(List<Integer> ids, Turn turn) {
    if (!ids.isEmpty()) {
      applicationId.ifPresent(
          id -> send(new KillExecutors(incarnation, master.session(), id, ids), turn));
    }
  }

  private void stop(Turn turn) {
    phase = Phase.STOPPING;
    sendUnregister(turn);
    boolean isAwaited = master.isFollowing() || applicationId.isEmpty();
    turn.startTimer(
        StopDue.class,
        isAwaited ? options.stopWait() : options.stopWaitWithoutMaster(),
        new StopDue());
  }

  private void sendUnregister(Turn turn) {
    applicationId.ifPresent(
        id -> send(new UnregisterApplication(incarnation, master.session(), id, self), turn));
  }

  private void die(ApplicationState state, String reason, Turn turn) {
    phase = Phase.DEAD;
    turn.cancelTimer(RegistrationDue.class);
    turn.cancelTimer(HeartbeatDue.class);
    turn.send(application, new Dead(state, reason));
  }
}
