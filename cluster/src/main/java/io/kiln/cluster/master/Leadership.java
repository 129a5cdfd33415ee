package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEntry.ApplicationEntry;
import io.kiln.cluster.master.MasterEntry.DriverEntry;
import io.kiln.cluster.master.MasterEntry.NumbersEntry;
import io.kiln.cluster.master.MasterEntry.Removed;
import io.kiln.cluster.master.MasterEntry.WorkerEntry;
import io.kiln.cluster.master.MasterEvent.ApplicationLinkDue;
import io.kiln.cluster.master.MasterEvent.Deposed;
import io.kiln.cluster.master.MasterEvent.Elected;
import io.kiln.cluster.master.MasterEvent.LinkLost;
import io.kiln.cluster.master.MasterEvent.RecoveryDue;
import io.kiln.cluster.master.MasterEvent.RetryDue;
import io.kiln.cluster.master.MasterEvent.SilenceDue;
import io.kiln.cluster.master.MasterEvent.TimeTold;
import io.kiln.cluster.master.MasterEvent.WaitingDue;
import io.kiln.cluster.master.MasterEvent.WorkerLinkDue;
import io.kiln.cluster.master.MasterEvent.WorkerRestDue;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.FromApplication;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromWorker;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToMaster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// One term of a master: all that it knows and does from its election on. Forgotten when it is
/// deposed.
final class Leadership {
  private final Outbox outbox;
  private final MasterOptions options;
  private final ClusterState cluster;
  private final WallClock clock;
  private final Ids ids;
  private final DriverLifecycle driverLifecycle;
  private final WorkerSessions workerSessions;
  private final ApplicationSessions applicationSessions;
  private final ClientRequests clientRequests;
  private final Scheduling scheduling;
  private MasterState state = MasterState.RECOVERING;

  Leadership(Outbox outbox, MasterOptions options, Elected elected, Turn turn) {
    this.outbox = outbox;
    this.options = options;
    this.cluster = ClusterState.of(options);
    this.clock = new WallClock(elected.now(), turn.nowNanos());
    this.ids = new Ids(options.naming(), clock);
    Shortage shortage = new Shortage(cluster, options);
    ApplicationLifecycle applicationLifecycle = new ApplicationLifecycle(cluster, outbox, clock);
    ExecutorLifecycle executorLifecycle =
        new ExecutorLifecycle(cluster, applicationLifecycle, outbox, options);
    this.driverLifecycle = new DriverLifecycle(cluster, applicationLifecycle, outbox);
    this.workerSessions =
        new WorkerSessions(cluster, executorLifecycle, driverLifecycle, outbox, options);
    this.applicationSessions =
        new ApplicationSessions(
            cluster, executorLifecycle, applicationLifecycle, ids, shortage, outbox, options);
    this.clientRequests =
        new ClientRequests(
            cluster,
            options.retention(),
            driverLifecycle,
            applicationLifecycle,
            workerSessions,
            ids,
            new StatusReport(cluster, shortage, clock));
    this.scheduling =
        new Scheduling(cluster, executorLifecycle, driverLifecycle, options.scheduling());
  }

  MasterState state() {
    return state;
  }

  /// Takes over from the masters before.
  void start(List<MasterEntry> entries, Turn turn) {
    for (MasterEntry entry : entries) {
      switch (entry) {
        case WorkerEntry worker -> workerSessions.recover(worker, turn);
        case ApplicationEntry application -> applicationSessions.recover(application, turn);
        case DriverEntry driver -> driverLifecycle.recover(driver);
        case NumbersEntry numbers -> ids.recover(numbers);
        case Removed removed -> throw new IllegalArgumentException("is no entry: " + removed);
      }
    }
    driverLifecycle.recoverRuns(turn);
    RecoveryDue due = new RecoveryDue(outbox.epoch());
    turn.startTimer(due, options.waits().recovery(), due);
    startSilenceTimer(turn);
    next(turn);
  }

  void handle(ToMaster message, Turn turn) {
    boolean recovering = state == MasterState.RECOVERING;
    switch (message) {
      case FromWorker worker -> workerSessions.handle(worker, recovering, turn);
      case RegisterApplication register ->
          applicationSessions.handle(ofItsSubmitter(register), recovering, turn);
      case FromApplication application -> applicationSessions.handle(application, recovering, turn);
      case FromClient client -> clientRequests.handle(client, outbox.identity(state), turn);
    }
    next(turn);
  }

  /// An application in a driver of the cluster is of the user who submitted that, whatever it says:
  /// its executors may run as that user.
  private RegisterApplication ofItsSubmitter(RegisterApplication register) {
    return register
        .application()
        .driverId()
        .map(id -> cluster.drivers().find(id).map(DriverNode::description))
        .map(driver -> driver.map(DriverDescription::user).orElse(""))
        .map(register::ofUser)
        .orElse(register);
  }

  void handle(MasterEvent event, Turn turn) {
    switch (event) {
      case Elected _, Deposed _ -> throw new IllegalArgumentException("is for Master: " + event);
      case LinkLost(var address) -> {
        if (!workerSessions.linkLost(address, turn)) {
          applicationSessions.linkLost(address, turn);
        }
      }
      case RecoveryDue _ -> {
        if (state == MasterState.RECOVERING) {
          completeRecovery(turn);
        }
      }
      case SilenceDue _ -> {
        checkSilence(turn);
        startSilenceTimer(turn);
      }
      case WorkerLinkDue due -> workerSessions.linkDue(due, turn);
      case ApplicationLinkDue due -> applicationSessions.linkDue(due, turn);
      case RetryDue due -> applicationSessions.retryDue(due.applicationId(), turn);
      case WaitingDue due -> applicationSessions.waitingDue(due, turn);
      case TimeTold(Instant now) -> clock.set(now, turn.nowNanos());
      case WorkerRestDue due -> workerSessions.restDue(due);
    }
    next(turn);
  }

  private void checkSilence(Turn turn) {
    workerSessions.checkSilence(turn);
    applicationSessions.checkSilence(turn);
    if (state == MasterState.RECOVERING) {
      workerSessions.remindUnknown(turn);
      applicationSessions.remindUnknown(turn);
    } else {
      driverLifecycle.checkMissing(options.waits().linkGrace(), turn);
    }
  }

  private void startSilenceTimer(Turn turn) {
    SilenceDue due = new SilenceDue(outbox.epoch());
    Duration often = options.waits().silence().dividedBy(10);
    turn.startTimer(due, often, due);
  }

  private void next(Turn turn) {
    if (state == MasterState.RECOVERING && hasHeardOfAll()) {
      completeRecovery(turn);
    }
    if (state == MasterState.ALIVE) {
      scheduling.schedule(turn);
    }
  }

  private boolean hasHeardOfAll() {
    return !cluster.workers().hasUnknown()
        && cluster.applications().active().stream()
            .noneMatch(application -> application.state() == ApplicationState.UNKNOWN);
  }

  private void completeRecovery(Turn turn) {
    state = MasterState.ALIVE;
    turn.cancelTimer(new RecoveryDue(outbox.epoch()));
    applicationSessions.loseUnknown(turn);
    workerSessions.loseUnknown(turn);
    applicationSessions.recovered(turn);
  }
}
