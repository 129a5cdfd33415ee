package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.ExecutorReport;
import io.kiln.cluster.protocol.FromWorker.DriverStateChanged;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerDecommissioning;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.ToMaster;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.protocol.ToWorker.ApplicationFinished;
import io.kiln.cluster.protocol.ToWorker.DecommissionWorker;
import io.kiln.cluster.protocol.ToWorker.DriverStateKnown;
import io.kiln.cluster.protocol.ToWorker.ExecutorStateKnown;
import io.kiln.cluster.protocol.ToWorker.FromItsMaster;
import io.kiln.cluster.protocol.ToWorker.HeartbeatSeen;
import io.kiln.cluster.protocol.ToWorker.KillDriver;
import io.kiln.cluster.protocol.ToWorker.KillExecutor;
import io.kiln.cluster.protocol.ToWorker.LaunchDriver;
import io.kiln.cluster.protocol.ToWorker.LaunchExecutor;
import io.kiln.cluster.protocol.ToWorker.ReconnectWorker;
import io.kiln.cluster.protocol.ToWorker.RegisterWorkerFailed;
import io.kiln.cluster.protocol.ToWorker.RegisteredWorker;
import io.kiln.cluster.protocol.WorkerDescription;
import io.kiln.cluster.protocol.WorkerMessage;
import io.kiln.cluster.session.FollowedMaster;
import io.kiln.cluster.session.FollowedMaster.Verdict;
import io.kiln.cluster.worker.RunnerOrder.EndProcess;
import io.kiln.cluster.worker.RunnerOrder.RemoveOldDirectories;
import io.kiln.cluster.worker.WorkerEvent.CleanUpDue;
import io.kiln.cluster.worker.WorkerEvent.Decommission;
import io.kiln.cluster.worker.WorkerEvent.DriverEnded;
import io.kiln.cluster.worker.WorkerEvent.DriverStarted;
import io.kiln.cluster.worker.WorkerEvent.ExecutorEnded;
import io.kiln.cluster.worker.WorkerEvent.ExecutorStarted;
import io.kiln.cluster.worker.WorkerEvent.HeartbeatDue;
import io.kiln.cluster.worker.WorkerEvent.LeaveDue;
import io.kiln.cluster.worker.WorkerEvent.LinkLost;
import io.kiln.cluster.worker.WorkerEvent.RegistrationDue;
import io.kiln.cluster.worker.WorkerEvent.RestartDue;
import io.kiln.cluster.worker.WorkerEvent.Start;
import io.kiln.cluster.worker.WorkerEvent.StatusWanted;
import io.kiln.cluster.worker.WorkerEvent.Stop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Has processes started and stopped as the master that leads says, and tells it what becomes of
/// them: until the master has acknowledged an end, it is said again.
///
/// A worker that is decommissioned takes nothing more. Its executors learn that from their
/// applications, which learn it from the master, and go; then supervised drivers are given back, to
/// be started elsewhere, and once the others have ended, so does the worker.
///
/// One that stops says so at once, so that it is given nothing more, and stays until a master has
/// heard how its drivers ended, or [#LEAVES_WITHIN] is over.
///
/// What it runs goes on while there is no master. How it follows one is drawn at [FollowedMaster];
/// it asks all masters, at first a few times within seconds, then at longer intervals, and ends
/// when none has answered for long.
public final class Worker implements Machine<WorkerMessage> {
  private static final int QUICK_TRIES = 5;
  private static final Duration FIRST_QUICK_WAIT = Duration.ofMillis(500);
  private static final Duration SHORT_WAIT = Duration.ofSeconds(10);
  private static final Duration LONG_WAIT = Duration.ofSeconds(60);

  /// How long one that stops looks for a master that hears how its drivers ended.
  public static final Duration LEAVES_WITHIN = Duration.ofSeconds(15);

  /// Whether it takes more.
  private enum Mode {
    OPEN,
    DECOMMISSIONED,
    STOPPING,
    ENDED
  }

  private final WorkerIdentity identity;
  private final WorkerDescription description;
  private final List<Address> masters;
  private final Address runner;
  private final WorkerOptions options;
  private final FollowedMaster master = new FollowedMaster();
  private final Capacity capacity;
  private final ExecutorRuns executors;
  private final DriverRuns drivers;
  private Mode mode = Mode.OPEN;
  private String masterUrl = "";
  private String masterWebUiUrl = "";
  private long heardNanos;
  private int tries;
  private boolean wasRegistered;
  private boolean leavesUnheard;

  /// @param masters at which a master may be
  /// @param runner takes the [RunnerOrder]s
  public Worker(
      WorkerIdentity identity,
      WorkerDescription description,
      List<Address> masters,
      Address runner,
      WorkerOptions options) {
    this.identity = identity;
    this.description = description;
    this.masters = List.copyOf(masters);
    this.runner = runner;
    this.options = options;
    this.capacity = new Capacity(description.cores(), description.memoryMebibytes());
    Reporter reporter = new ToFollowedMaster();
    this.executors =
        new ExecutorRuns(
            runner, capacity, reporter, options.cleanUp().isPresent(), options.retainedExecutors());
    this.drivers = new DriverRuns(runner, capacity, reporter);
  }

  private final class ToFollowedMaster implements Reporter {
    @Override
    public void tell(ExecutorReport executor, Turn turn) {
      say(
          new ExecutorStateChanged(
              identity.workerId(), identity.incarnation(), master.session(), executor),
          turn);
    }

    @Override
    public void tell(DriverReport driver, Turn turn) {
      say(
          new DriverStateChanged(
              identity.workerId(), identity.incarnation(), master.session(), driver),
          turn);
    }
  }

  private void say(ToMaster message, Turn turn) {
    master.master().ifPresent(address -> turn.send(address, message));
  }

  @Override
  public void handle(WorkerMessage message, Turn turn) {
    if (mode == Mode.ENDED) {
      return;
    }
    switch (message) {
      case ToWorker said -> handle(said, turn);
      case WorkerEvent event -> handle(event, turn);
      default -> throw new IllegalArgumentException("a worker can't take " + message);
    }
    endIfEmpty(turn);
  }

  // masters

  private void handle(ToWorker said, Turn turn) {
    switch (said) {
      case MasterInStandby standby -> {
        if (standby.session() == master.session() && master.isFollowing()) {
          searchAnew(turn);
        }
      }
      case MasterChanged changed -> {
        if (master.hear(changed.epoch())) {
          tries = 0;
          register(List.of(changed.master()), turn);
        }
      }
      case RegisterWorkerFailed failed -> refused(failed, turn);
      case ReconnectWorker reconnect -> {
        if (reconnect.incarnation() == identity.incarnation()
            && reconnect.session() == master.session()
            && reconnect.epoch() >= master.epoch()) {
          tries = 0;
          register(List.of(reconnect.master()), turn);
        }
      }
      case HeartbeatSeen seen -> {
        if (seen.session() == master.session() && seen.epoch() == master.epoch()) {
          heardNanos = turn.nowNanos();
        }
      }
      case FromItsMaster stamped -> take(stamped, turn);
    }
  }

  private void take(FromItsMaster said, Turn turn) {
    Optional<Address> sender = master.master();
    Verdict verdict =
        said instanceof RegisteredWorker registered
            ? master.registered(said.stamp(), registered.master())
            : master.next(said.stamp());
    switch (verdict) {
      case TAKE -> {
        heardNanos = turn.nowNanos();
        obey(said, turn);
      }
      case DROP -> {}
      case REGISTER_AGAIN -> register(sender.map(List::of).orElse(masters), turn);
    }
  }

  private void obey(FromItsMaster said, Turn turn) {
    switch (said) {
      case RegisteredWorker registered -> registered(registered, turn);
      case LaunchExecutor launch -> {
        if (mode != Mode.OPEN) {
          sayDecommissioning(turn); // before it refuses, or it would be asked again at once
        }
        executors.launch(launch, masterUrl, refusal(), turn);
      }
      case KillExecutor kill -> executors.kill(kill, turn);
      case LaunchDriver launch -> {
        if (mode != Mode.OPEN || !drivers.launch(launch, turn)) {
          register(List.of(master.master().orElseThrow()), turn);
        }
      }
      case KillDriver kill -> drivers.kill(kill, turn);
      case ApplicationFinished finished ->
          executors.applicationFinished(finished.applicationId(), turn);
      case ExecutorStateKnown known -> executors.known(known);
      case DriverStateKnown known -> drivers.known(known);
      case DecommissionWorker _ -> decommission(turn);
    }
  }

  private String refusal() {
    return mode == Mode.OPEN ? "" : "the worker takes nothing more";
  }

  private void registered(RegisteredWorker registered, Turn turn) {
    masterUrl = registered.masterUrl();
    masterWebUiUrl = registered.masterWebUiUrl();
    tries = 0;
    wasRegistered = true;
    turn.cancelTimer(RegistrationDue.class);
    if (mode != Mode.OPEN) {
      sayDecommissioning(turn);
    }
    turn.startTimer(HeartbeatDue.class, options.heartbeatInterval(), new HeartbeatDue());
  }

  private void refused(RegisterWorkerFailed failed, Turn turn) {
    if (failed.session() == master.session() && !master.isFollowing() && !wasRegistered) {
      end(Optional.of(failed.reason()), turn);
    }
  }

  private void searchAnew(Turn turn) {
    tries = 0;
    register(masters, turn);
  }

  private void register(List<Address> whom, Turn turn) {
    long session = master.search();
    RegisterWorker register =
        new RegisterWorker(
            identity.workerId(),
            identity.incarnation(),
            session,
            description,
            executors.reports(),
            drivers.reports());
    whom.forEach(address -> turn.send(address, register));
    turn.startTimer(RegistrationDue.class, registrationWait(turn), new RegistrationDue(session));
  }

  private Duration registrationWait(Turn turn) {
    if (mode == Mode.STOPPING) {
      return FIRST_QUICK_WAIT;
    }
    if (tries < QUICK_TRIES) {
      return FIRST_QUICK_WAIT.multipliedBy(1L << tries);
    }
    Duration wait = tries - QUICK_TRIES < options.initialRetries() ? SHORT_WAIT : LONG_WAIT;
    long millis = wait.toMillis();
    return Duration.ofMillis(millis / 2 + turn.random().nextLong(millis));
  }

  private void registrationDue(RegistrationDue due, Turn turn) {
    if (due.session() != master.session() || master.isFollowing()) {
      return;
    }
    tries++;
    if (mode != Mode.STOPPING && tries - QUICK_TRIES > options.maxRetries()) {
      String who = String.join(", ", masters.stream().map(Address::process).toList());
      end(
          Optional.of(
              "no master answered "
                  + tries
                  + " times: "
                  + who
                  + "; see that one is there, and start the worker again"),
          turn);
      return;
    }
    register(masters, turn);
  }

  private void heartbeatDue(Turn turn) {
    if (!master.isFollowing()) {
      return; // starts again with the next session
    }
    if (turn.nowNanos() - heardNanos > options.silence().toNanos()) {
      searchAnew(turn);
      return;
    }
    say(
        new WorkerHeartbeat(
            identity.workerId(),
            identity.incarnation(),
            master.session(),
            master.epoch(),
            description.address(),
            master.seen()),
        turn);
    executors.remind(turn);
    drivers.remind(turn);
    turn.startTimer(HeartbeatDue.class, options.heartbeatInterval(), new HeartbeatDue());
  }

  // what happens here

  private void handle(WorkerEvent event, Turn turn) {
    switch (event) {
      case Start _ -> {
        register(masters, turn);
        startCleanUpTimer(turn);
      }
      case LinkLost(Address lost) -> {
        if (master.master().filter(lost::equals).isPresent()) {
          searchAnew(turn);
        }
      }
      case StatusWanted(Address replyTo, String requestId) -> turn.send(replyTo, status(requestId));
      case Decommission _ -> decommission(turn);
      case Stop _ -> stop(turn);
      case ExecutorStarted started -> executors.started(started, turn);
      case ExecutorEnded ended -> executors.ended(ended, mode == Mode.DECOMMISSIONED, turn);
      case DriverStarted started -> drivers.started(started, turn);
      case DriverEnded ended -> drivers.ended(ended, mode == Mode.STOPPING, turn);
      case RegistrationDue due -> registrationDue(due, turn);
      case HeartbeatDue _ -> heartbeatDue(turn);
      case RestartDue due -> drivers.restart(due, turn);
      case CleanUpDue _ -> cleanUp(turn);
      case LeaveDue _ -> leavesUnheard = true;
    }
  }

  private WorkerStatus status(String requestId) {
    return new WorkerStatus(
        requestId,
        identity.workerId(),
        masterUrl,
        masterWebUiUrl,
        description.cores(),
        capacity.coresUsed(),
        description.memoryMebibytes(),
        capacity.memoryUsedMebibytes(),
        executors.running(),
        executors.finished());
  }

  private void startCleanUpTimer(Turn turn) {
    options
        .cleanUp()
        .ifPresent(often -> turn.startTimer(CleanUpDue.class, often.interval(), new CleanUpDue()));
  }

  private void cleanUp(Turn turn) {
    options
        .cleanUp()
        .ifPresent(
            often ->
                turn.send(
                    runner,
                    new RemoveOldDirectories(
                        often.age(), executors.applications(), drivers.drivers())));
    startCleanUpTimer(turn);
  }

  private void decommission(Turn turn) {
    if (mode == Mode.OPEN) {
      mode = Mode.DECOMMISSIONED;
      sayDecommissioning(turn);
    }
  }

  private void stop(Turn turn) {
    mode = Mode.STOPPING;
    sayDecommissioning(turn);
    executors.stopAll("its worker stops", turn);
    drivers.stopAll(turn);
    if (!master.isFollowing()) {
      register(masters, turn);
    }
    turn.startTimer(LeaveDue.class, LEAVES_WITHIN, new LeaveDue());
  }

  private void sayDecommissioning(Turn turn) {
    say(
        new WorkerDecommissioning(identity.workerId(), identity.incarnation(), master.session()),
        turn);
  }

  private void endIfEmpty(Turn turn) {
    boolean isLeaving = mode == Mode.STOPPING || mode == Mode.DECOMMISSIONED;
    if (mode == Mode.DECOMMISSIONED && !executors.someRun() && drivers.giveBack(turn)) {
      register(master.master().map(List::of).orElse(masters), turn); // it learns what is not here
    }
    if (isLeaving && !executors.someRun() && !drivers.someRun()) {
      List<DriverReport> unheard = drivers.unheardEnds();
      if (unheard.isEmpty() || leavesUnheard) {
        leave(unheard, turn);
      }
    }
  }

  private void leave(List<DriverReport> unheard, Turn turn) {
    say(new UnregisterWorker(identity.workerId(), identity.incarnation(), master.session()), turn);
    String ends =
        unheard.stream()
            .map(driver -> driver.driverId() + " " + driver.state())
            .collect(Collectors.joining(", "));
    end(
        Optional.of(ends)
            .filter(some -> !some.isEmpty())
            .map(some -> "the worker stops, and no master has heard how drivers ended: " + some),
        turn);
  }

  private void end(Optional<String> failure, Turn turn) {
    mode = Mode.ENDED;
    turn.send(runner, new EndProcess(failure));
  }
}
