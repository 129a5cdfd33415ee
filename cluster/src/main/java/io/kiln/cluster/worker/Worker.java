package io.kiln.cluster.worker;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterInStandby;
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
import io.kiln.cluster.worker.RunnerOrder.CheckRoom;
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
import io.kiln.cluster.worker.WorkerEvent.RoomChecked;
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
/// ```
///        told to go          executors have gone, drivers have ended or were given back
///  Open ────────────► Decommissioned ───────────────────────────────────────────────────┐
///    │                   │                                                              │
///    └─── told to stop ──┴──► Stopping: ends all that it runs ── all has ended, and ────┤
///                                                             a master has heard how    │
///  any ── refused, or no master answers ──► Ended ◄─────────────────────────────────────┘
/// ```
///
/// A worker that is decommissioned takes nothing more. Its executors learn that from their
/// applications, which learn it from the master, and go; then supervised drivers are given back, to
/// be started elsewhere, and once the others have ended, so does the worker.
///
/// One that stops says so at once, so that it is given nothing more, and stays until a master has
/// heard how its drivers ended, or [#LEAVES_WITHIN] is over.
///
/// With each heartbeat it has its room looked at. While it has none, it tells the master why, which
/// gives it nothing more.
///
/// What it runs goes on while there is no master. How it follows one is drawn at [FollowedMaster];
/// how it looks for one, [WorkerRegistration] says. The states of what it runs are drawn at
/// [ExecutorRun] and [DriverRun].
public final class Worker implements Machine<WorkerMessage> {
  /// How long one that stops looks for a master that hears how its drivers ended.
  public static final Duration LEAVES_WITHIN = Duration.ofSeconds(15);

  private sealed interface State {}

  private record Open() implements State {}

  private record Decommissioned() implements State {}

  /// @param waitIsOver whether it ends although no master has heard how its drivers ended
  private record Stopping(boolean waitIsOver) implements State {}

  private record Ended() implements State {}

  private final WorkerIdentity identity;
  private final WorkerDescription description;
  private final Address runner;
  private final WorkerOptions options;
  private final Capacity capacity;
  private final WorkerRegistration registration;
  private final ExecutorRuns executors;
  private final DriverRuns drivers;
  private State state = new Open();

  /// Why it can start nothing for now; empty if it can.
  private String trouble = "";

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
    this.runner = runner;
    this.options = options;
    this.capacity = new Capacity(description.cores(), description.memoryMebibytes());
    this.registration =
        new WorkerRegistration(identity, description, masters, options, new WhatRunsHere());
    this.executors =
        new ExecutorRuns(
            runner,
            capacity,
            registration::report,
            options.cleanUp().isPresent(),
            options.retainedExecutors());
    this.drivers = new DriverRuns(runner, capacity, registration::report);
  }

  private final class WhatRunsHere implements WorkerRegistration.Inventory {
    @Override
    public List<ExecutorStatus> executors() {
      return executors.reports();
    }

    @Override
    public List<DriverReport> drivers() {
      return drivers.reports();
    }
  }

  @Override
  public void handle(WorkerMessage message, Turn turn) {
    if (state instanceof Ended) {
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
      case MasterInStandby standby -> registration.standby(standby, turn);
      case MasterChanged changed -> registration.changed(changed, turn);
      case RegisterWorkerFailed failed -> {
        if (registration.isRefused(failed)) {
          end(Optional.of(failed.reason()), turn);
        }
      }
      case ReconnectWorker reconnect -> registration.reconnect(reconnect, turn);
      case HeartbeatSeen seen -> registration.heartbeatSeen(seen, turn);
      case FromItsMaster command -> {
        if (registration.isNext(command, turn)) {
          execute(command, turn);
        }
      }
    }
  }

  private void execute(FromItsMaster command, Turn turn) {
    switch (command) {
      case RegisteredWorker registered -> registered(registered, turn);
      case LaunchExecutor launch -> {
        if (!isOpen()) {
          registration.sendDecommissioning(turn); // first, or it would be asked again at once
        }
        String refusal = isOpen() ? "" : "the worker takes nothing more";
        executors.launch(launch, registration.masterUrl(), refusal, turn);
      }
      case KillExecutor kill -> executors.kill(kill, turn);
      case LaunchDriver launch -> {
        if (!isOpen() || !drivers.launch(launch, turn)) {
          registration.registerAgain(turn);
        }
      }
      case KillDriver kill -> drivers.kill(kill, turn);
      case ApplicationFinished finished ->
          executors.applicationFinished(finished.applicationId(), turn);
      case ExecutorStateKnown known -> executors.acknowledged(known);
      case DriverStateKnown known -> drivers.acknowledged(known);
      case DecommissionWorker _ -> decommission(turn);
    }
  }

  private boolean isOpen() {
    return state instanceof Open;
  }

  private void registered(RegisteredWorker registered, Turn turn) {
    registration.registered(registered, turn);
    if (!isOpen()) {
      registration.sendDecommissioning(turn);
    }
    if (!trouble.isEmpty()) {
      registration.sendHeartbeat(trouble, turn);
    }
  }

  private void roomChecked(String found, Turn turn) {
    boolean changed = found.isEmpty() != trouble.isEmpty();
    trouble = found;
    if (changed) {
      registration.sendHeartbeat(trouble, turn);
    }
  }

  // what happens here

  private void handle(WorkerEvent event, Turn turn) {
    switch (event) {
      case Start _ -> {
        registration.search(turn);
        startCleanUpTimer(turn);
        turn.send(runner, new CheckRoom());
      }
      case LinkLost(Address lost) -> registration.linkLost(lost, turn);
      case StatusWanted(Address replyTo, String requestId) -> turn.send(replyTo, status(requestId));
      case Decommission _ -> decommission(turn);
      case Stop _ -> stop(turn);
      case ExecutorStarted started -> executors.started(started, turn);
      case ExecutorEnded ended -> executors.ended(ended, state instanceof Decommissioned, turn);
      case DriverStarted started -> drivers.started(started, turn);
      case DriverEnded ended -> drivers.ended(ended, turn);
      case RegistrationDue due ->
          registration.due(due, turn).ifPresent(failure -> end(Optional.of(failure), turn));
      case HeartbeatDue _ -> {
        turn.send(runner, new CheckRoom());
        if (registration.heartbeatDue(trouble, turn)) {
          executors.reportUnacknowledged(turn);
          drivers.reportUnacknowledged(turn);
        }
      }
      case RoomChecked(String found) -> roomChecked(found, turn);
      case RestartDue due -> drivers.restart(due, turn);
      case CleanUpDue _ -> cleanUp(turn);
      case LeaveDue _ -> state = new Stopping(true);
    }
  }

  private WorkerStatus status(String requestId) {
    return new WorkerStatus(
        requestId,
        identity.workerId(),
        registration.masterUrl(),
        registration.masterWebUiUrl(),
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
    if (isOpen()) {
      state = new Decommissioned();
      registration.sendDecommissioning(turn);
    }
  }

  private void stop(Turn turn) {
    if (!(state instanceof Stopping)) {
      state = new Stopping(false);
    }
    registration.leave(turn);
    executors.stopAll("its worker stops", turn);
    drivers.stopAll(turn);
    if (!registration.isFollowing()) {
      registration.search(turn);
    }
    turn.startTimer(LeaveDue.class, LEAVES_WITHIN, new LeaveDue());
  }

  private void endIfEmpty(Turn turn) {
    switch (state) {
      case Open _, Ended _ -> {}
      case Decommissioned _ -> {
        if (!executors.hasActive() && drivers.giveBack(turn)) {
          registration.registerAgain(turn); // the master learns what is not here
        }
        leaveIfEmpty(false, turn);
      }
      case Stopping(boolean waitIsOver) -> leaveIfEmpty(waitIsOver, turn);
    }
  }

  private void leaveIfEmpty(boolean waitIsOver, Turn turn) {
    if (executors.hasActive() || drivers.hasActive()) {
      return;
    }
    List<DriverReport> unheard = drivers.unacknowledgedEnds();
    if (unheard.isEmpty() || waitIsOver) {
      leave(unheard, turn);
    }
  }

  private void leave(List<DriverReport> unheard, Turn turn) {
    registration.unregister(turn);
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
    state = new Ended();
    turn.send(runner, new EndProcess(failure));
  }
}
