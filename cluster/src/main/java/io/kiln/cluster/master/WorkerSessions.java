package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEntry.WorkerEntry;
import io.kiln.cluster.master.MasterEvent.WorkerLinkDue;
import io.kiln.cluster.master.MasterEvent.WorkerRestDue;
import io.kiln.cluster.protocol.DescriptionCheck;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.FromWorker;
import io.kiln.cluster.protocol.FromWorker.DriverStateChanged;
import io.kiln.cluster.protocol.FromWorker.ExecutorStateChanged;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.UnregisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerDecommissioning;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.protocol.WorkerState;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The sessions of a leading master with workers: registrations, heartbeats, what workers report,
/// and their loss.
final class WorkerSessions {
  private final Workers workers;
  private final Registry<Long, ApplicationNode> applications;
  private final ExecutorLifecycle executorLifecycle;
  private final DriverLifecycle driverLifecycle;
  private final Outbox outbox;
  private final MasterOptions options;
  private final Map<Address, WorkerNode> byAddress = new HashMap<>();

  WorkerSessions(
      ClusterState cluster,
      ExecutorLifecycle executorLifecycle,
      DriverLifecycle driverLifecycle,
      Outbox outbox,
      MasterOptions options) {
    this.workers = cluster.workers();
    this.applications = cluster.applications();
    this.executorLifecycle = executorLifecycle;
    this.driverLifecycle = driverLifecycle;
    this.outbox = outbox;
    this.options = options;
  }

  /// @param recovering whether executors that this master does not know may be right
  void handle(FromWorker message, boolean recovering, Turn turn) {
    switch (message) {
      case RegisterWorker register -> register(register, recovering, turn);
      case WorkerHeartbeat heartbeat -> heartbeat(heartbeat, turn);
      case ExecutorStateChanged changed ->
          inSession(changed, turn)
              .ifPresent(
                  worker -> executorLifecycle.report(worker, changed.executor(), recovering, turn));
      case DriverStateChanged changed ->
          inSession(changed, turn)
              .ifPresent(worker -> driverLifecycle.report(worker, changed.driver(), turn));
      case WorkerDecommissioning decommissioning ->
          inSession(decommissioning, turn).ifPresent(worker -> decommission(worker, turn));
      case UnregisterWorker unregister ->
          inSession(unregister, turn).ifPresent(worker -> lose(worker, "was stopped", true, turn));
    }
  }

  /// One that the master before had.
  void recover(WorkerEntry entry, Turn turn) {
    WorkerNode worker =
        new WorkerNode(entry.workerId(), entry.incarnation(), entry.worker(), workers.nextOrder());
    workers.add(worker);
    outbox.sendMasterChanged(entry.worker().address(), turn);
  }

  // registration

  private void register(RegisterWorker register, boolean recovering, Turn turn) {
    Optional<WorkerNode> known = workers.find(register.workerId());
    if (known.isPresent() && known.get().incarnation() == register.incarnation()) {
      if (known.get().session().filter(session -> session.id() >= register.session()).isEmpty()) {
        if (known.get().state() == WorkerState.DEAD) {
          keep(known.get(), turn);
        }
        accept(known.get(), register, recovering, turn);
      }
      return;
    }
    String problem = DescriptionCheck.problem(register.worker());
    if (!problem.isEmpty()) {
      refuse(register, problem, turn);
      return;
    }
    Optional<WorkerNode> neighbour = workers.findAt(register.worker().hostPort());
    if (known.filter(WorkerNode::isPresent).isPresent()) {
      refuse(register, "its id is taken by a worker at " + at(known.get()), turn);
    } else if (neighbour.filter(WorkerNode::isPresent).isPresent()) {
      refuse(register, "its address is that of worker " + neighbour.get().id(), turn);
    } else {
      known.ifPresent(old -> replace(old, turn));
      neighbour.ifPresent(old -> replace(old, turn));
      WorkerNode worker =
          new WorkerNode(
              register.workerId(), register.incarnation(), register.worker(), workers.nextOrder());
      workers.add(worker);
      keep(worker, turn);
      accept(worker, register, recovering, turn);
    }
  }

  private static void keep(WorkerNode worker, Turn turn) {
    turn.persist(entryOf(worker));
  }

  private static WorkerEntry entryOf(WorkerNode worker) {
    return new WorkerEntry(worker.id(), worker.incarnation(), worker.description());
  }

  private static String at(WorkerNode worker) {
    return worker.description().hostPort();
  }

  private static void refuse(RegisterWorker register, String why, Turn turn) {
    turn.send(
        register.worker().address(),
        new ToWorker.RegisterWorkerFailed(
            register.session(),
            "worker " + register.workerId() + " was refused: " + why + "; start it with another"));
  }

  private void replace(WorkerNode old, Turn turn) {
    if (old.state() != WorkerState.DEAD) {
      lose(old, "was replaced by another at its address", true, turn);
    }
    workers.forget(old);
  }

  private void accept(WorkerNode worker, RegisterWorker register, boolean recovering, Turn turn) {
    WorkerState state =
        worker.state() == WorkerState.DECOMMISSIONED
            ? WorkerState.DECOMMISSIONED
            : WorkerState.ALIVE;
    Address address = register.worker().address();
    workers.change(worker, state, new PeerSession(address, register.session(), turn.nowNanos()));
    byAddress.put(address, worker);
    outbox.sendRegistered(worker, turn);
    if (state == WorkerState.DECOMMISSIONED) {
      outbox.send(worker, ToWorker.DecommissionWorker::new, turn);
    }
    reconcile(worker, register, recovering, turn);
  }

  /// What the worker says that it runs is what runs there.
  private void reconcile(
      WorkerNode worker, RegisterWorker register, boolean recovering, Turn turn) {
    List<ExecutorGrant> known = List.copyOf(worker.executors().values());
    Set<ExecutorGrant.Key> reported = new HashSet<>();
    for (ExecutorStatus report : register.executors()) {
      reported.add(new ExecutorGrant.Key(report.applicationId(), report.executorId()));
      executorLifecycle.report(worker, report, recovering, turn);
    }
    for (ExecutorGrant executor : known) {
      if (reported.contains(executor.key())) {
        if (worker.executors().containsKey(executor.key())) {
          executorLifecycle.repeatStop(executor, turn);
        }
      } else {
        executorLifecycle.end(
            executor, ExecutorState.LOST, "it was never started", Optional.empty(), false, turn);
      }
    }
    Set<WorkerNode.DriverKey> reportedDrivers = new HashSet<>();
    for (DriverReport report : register.drivers()) {
      reportedDrivers.add(new WorkerNode.DriverKey(report.driverId(), report.launch()));
      driverLifecycle.report(worker, report, turn);
    }
    for (WorkerNode.DriverGrant driver : List.copyOf(worker.drivers().values())) {
      if (!reportedDrivers.contains(driver.key())) {
        driverLifecycle.neverStarted(worker, driver, turn);
      }
    }
  }

  // while it is there

  /// The worker, if the message is of its session.
  private Optional<WorkerNode> inSession(FromWorker message, Turn turn) {
    Optional<WorkerNode> worker =
        workers
            .find(message.workerId())
            .filter(WorkerNode::isPresent)
            .filter(known -> known.incarnation() == message.incarnation())
            .filter(known -> known.session().orElseThrow().id() == message.session());
    worker.flatMap(WorkerNode::session).ifPresent(session -> session.heard(turn.nowNanos()));
    return worker;
  }

  private void heartbeat(WorkerHeartbeat heartbeat, Turn turn) {
    Optional<WorkerNode> worker = inSession(heartbeat, turn);
    worker.ifPresent(known -> workers.setTrouble(known, heartbeat.trouble()));
    boolean isWell =
        worker
            .flatMap(WorkerNode::session)
            .filter(session -> session.heartbeat(heartbeat.seen(), turn.nowNanos()))
            .isPresent();
    turn.send(
        heartbeat.address(),
        isWell
            ? new ToWorker.HeartbeatSeen(outbox.epoch(), heartbeat.session())
            : new ToWorker.ReconnectWorker(
                outbox.epoch(), heartbeat.incarnation(), heartbeat.session(), outbox.self()));
  }

  private void decommission(WorkerNode worker, Turn turn) {
    workers.change(worker, WorkerState.DECOMMISSIONED, worker.session().orElseThrow());
    List.copyOf(worker.executors().values())
        .forEach(executor -> executorLifecycle.decommission(executor, turn));
  }

  /// Has the workers of these hosts take nothing more.
  ///
  /// @return how many were told
  int decommission(List<String> hosts, Turn turn) {
    List<WorkerNode> chosen =
        workers.all().stream()
            .filter(worker -> worker.state() == WorkerState.ALIVE)
            .filter(worker -> hosts.contains(worker.description().host()))
            .toList();
    for (WorkerNode worker : chosen) {
      outbox.send(worker, ToWorker.DecommissionWorker::new, turn);
      decommission(worker, turn);
    }
    return chosen.size();
  }

  void restDue(WorkerRestDue due) {
    workers.find(due.workerId()).ifPresent(worker -> workers.setLeftOut(worker, false));
  }

  // loss

  /// @return whether a worker is at this address
  boolean linkLost(Address address, Turn turn) {
    WorkerNode worker = byAddress.get(address);
    if (worker == null) {
      return false;
    }
    if (worker.isPresent()) {
      workers.loseLink(worker);
      WorkerLinkDue due =
          new WorkerLinkDue(outbox.epoch(), worker.id(), worker.session().orElseThrow().id());
      turn.startTimer(due, options.waits().linkGrace(), due);
    }
    return true;
  }

  void linkDue(WorkerLinkDue due, Turn turn) {
    workers
        .find(due.workerId())
        .filter(worker -> worker.state() != WorkerState.DEAD)
        .filter(worker -> worker.session().filter(session -> isStillLost(session, due)).isPresent())
        .ifPresent(
            worker -> {
              long seconds = options.waits().linkGrace().toSeconds();
              lose(worker, "lost its connection for " + seconds + " s", false, turn);
            });
  }

  private static boolean isStillLost(PeerSession session, WorkerLinkDue due) {
    return session.isLost() && session.id() == due.session();
  }

  /// Loses those that have been silent for too long, and forgets those lost long ago.
  void checkSilence(Turn turn) {
    long now = turn.nowNanos();
    Duration silence = options.waits().silence();
    byAddress.values().removeIf(worker -> worker.state() == WorkerState.DEAD);
    for (WorkerNode worker : List.copyOf(workers.all())) {
      long silent = worker.session().map(session -> now - session.heardNanos()).orElse(0L);
      if (worker.state() == WorkerState.DEAD) {
        if (silent > options.retention().deadWorkers().toNanos()) {
          workers.forget(worker);
        }
      } else if (silent > silence.toNanos()) {
        lose(worker, "was silent for " + silence.toSeconds() + " s", false, turn);
      }
    }
  }

  /// Tells those again that have not come to this master.
  void remindUnknown(Turn turn) {
    for (WorkerNode worker : workers.all()) {
      if (worker.state() == WorkerState.UNKNOWN) {
        outbox.sendMasterChanged(worker.description().address(), turn);
      }
    }
  }

  /// Those that the master before had and that have not come.
  void loseUnknown(Turn turn) {
    for (WorkerNode worker : List.copyOf(workers.all())) {
      if (worker.state() == WorkerState.UNKNOWN) {
        lose(worker, "did not come to the master that took over", false, turn);
        workers.forget(worker);
      }
    }
  }

  /// All that ran there is lost; should the worker come back, it is told to stop it.
  ///
  /// @param ended whether its process is known to have ended, and with it all that it ran
  private void lose(WorkerNode worker, String why, boolean ended, Turn turn) {
    workers.change(worker, WorkerState.DEAD, worker.session().orElse(null));
    turn.persist(new MasterEntry.Removed(entryOf(worker).key()));
    String message = "its worker " + worker.id() + " " + why;
    for (ExecutorGrant executor : List.copyOf(worker.executors().values())) {
      executorLifecycle.end(executor, ExecutorState.LOST, message, Optional.empty(), true, turn);
    }
    for (WorkerNode.DriverGrant driver : List.copyOf(worker.drivers().values())) {
      driverLifecycle.loseWorker(worker, driver, why, ended, turn);
    }
    for (ApplicationNode application : applications.active()) {
      if (application.mayHaveUsed(worker.id())) {
        outbox.send(
            application,
            stamp ->
                new ToApplication.WorkerRemoved(
                    stamp, worker.id(), worker.description().host(), "it " + why),
            turn);
      }
    }
  }
}
