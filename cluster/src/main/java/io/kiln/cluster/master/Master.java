package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
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
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromWorker.RegisterWorker;
import io.kiln.cluster.protocol.FromWorker.WorkerHeartbeat;
import io.kiln.cluster.protocol.MasterMessage;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToMaster;
import io.kiln.cluster.protocol.WorkerState;
import java.util.Optional;
import java.util.function.Function;

/// Which workers there are, and what runs where: drivers first, then executors of applications, in
/// the order in which they came, or by pools.
///
/// ```
///            Elected                  all have answered, or the time is over
///  STANDBY ──────────► RECOVERING ─────────────────────────────────────────────► ALIVE
///     ▲                    │                                                       │
///     └────────────────────┴── Deposed, or it hears of a master of a later epoch ──┘
/// ```
///
/// While it recovers, it takes registrations and submissions, but gives nothing to anybody: it does
/// not know yet what runs where. The states of what it knows are drawn at [ApplicationState],
/// [DriverState], [WorkerState] and [ExecutorGrant]; who gets room next, at [WaitingQueue].
///
/// What must survive a master, it persists before it says anything that follows from it
/// ([MasterEntry]): drivers and applications that it has accepted, launches of drivers, blocks of
/// executor ids. What runs where, it learns from the workers. So a master that has been replaced
/// without knowing can do no harm: it can persist nothing, and workers and applications that have
/// heard of the new epoch don't listen to it.
public final class Master implements Machine<MasterMessage> {
  private final MasterOptions options;
  private final Outbox outbox;
  private Optional<Leadership> leadership = Optional.empty();

  /// @param self where this machine receives
  /// @param url `spark://host:port`
  /// @param webUiUrl may be empty
  public Master(Address self, String url, String webUiUrl, MasterOptions options) {
    this(self, url, webUiUrl, options, _ -> Optional.empty());
  }

  /// @param self where this machine receives
  /// @param url `spark://host:port`
  /// @param webUiUrl may be empty
  /// @param driverSecrets by which drivers, named by their ids, show who they are; the same for the
  ///     same id
  public Master(
      Address self,
      String url,
      String webUiUrl,
      MasterOptions options,
      Function<String, Optional<String>> driverSecrets) {
    this.options = options;
    this.outbox = new Outbox(self, url, webUiUrl, driverSecrets);
  }

  /// Of the term in which it leads, or has led last; 0 before the first. On the machine's thread.
  public long epoch() {
    return outbox.epoch();
  }

  @Override
  public void handle(MasterMessage message, Turn turn) {
    switch (message) {
      case ToMaster said -> handle(said, turn);
      case MasterEvent event -> handle(event, turn);
      default -> throw new IllegalArgumentException("a master can't take " + message);
    }
  }

  private void handle(ToMaster said, Turn turn) {
    if (epochOf(said) > outbox.epoch()) {
      leadership = Optional.empty(); // another leads
    }
    leadership.ifPresentOrElse(leading -> leading.handle(said, turn), () -> refuse(said, turn));
  }

  private static long epochOf(ToMaster said) {
    return switch (said) {
      case WorkerHeartbeat heartbeat -> heartbeat.epoch();
      case ApplicationHeartbeat heartbeat -> heartbeat.epoch();
      default -> 0;
    };
  }

  private void refuse(ToMaster said, Turn turn) {
    switch (said) {
      case RegisterWorker register ->
          outbox.sendStandby(register.worker().address(), register.session(), turn);
      case WorkerHeartbeat heartbeat ->
          outbox.sendStandby(heartbeat.address(), heartbeat.session(), turn);
      case RegisterApplication register ->
          outbox.sendStandby(register.address(), register.session(), turn);
      case ApplicationHeartbeat heartbeat ->
          outbox.sendStandby(heartbeat.address(), heartbeat.session(), turn);
      case FromClient request ->
          turn.send(
              request.replyTo(),
              ClientRequests.refuse(request, outbox.identity(MasterState.STANDBY)));
      default -> {} // the one that leads will hear of it
    }
  }

  private void handle(MasterEvent event, Turn turn) {
    switch (event) {
      case Elected elected -> elected(elected, turn);
      case Deposed(long epoch) -> {
        if (epoch >= outbox.epoch()) {
          leadership = Optional.empty();
        }
      }
      default -> {
        if (isOfThisTerm(event)) {
          leadership.ifPresent(leading -> leading.handle(event, turn));
        }
      }
    }
  }

  private void elected(Elected elected, Turn turn) {
    if (elected.epoch() <= outbox.epoch()) {
      throw new IllegalArgumentException(
          "epoch " + elected.epoch() + " is not greater than " + outbox.epoch());
    }
    outbox.lead(elected.epoch());
    Leadership leading = new Leadership(outbox, options, elected, turn);
    leadership = Optional.of(leading);
    leading.start(elected.entries(), turn);
  }

  private boolean isOfThisTerm(MasterEvent event) {
    return switch (event) {
      case Elected _, Deposed _, LinkLost _, TimeTold _ -> true;
      case RecoveryDue(long epoch) -> epoch == outbox.epoch();
      case SilenceDue(long epoch) -> epoch == outbox.epoch();
      case WorkerLinkDue due -> due.epoch() == outbox.epoch();
      case ApplicationLinkDue due -> due.epoch() == outbox.epoch();
      case RetryDue due -> due.epoch() == outbox.epoch();
      case WaitingDue due -> due.epoch() == outbox.epoch();
      case WorkerRestDue due -> due.epoch() == outbox.epoch();
    };
  }
}
