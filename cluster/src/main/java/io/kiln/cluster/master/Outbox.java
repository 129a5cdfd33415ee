package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.GrantedExecutor;
import io.kiln.cluster.protocol.MasterChanged;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.MasterInStandby;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.Stamp;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToWorker;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the master says, each word with its stamp. What is said to one that has no session now is
/// dropped: its next registration tells both sides everything.
final class Outbox {
  private final Address self;
  private final String url;
  private final String webUiUrl;
  private final Function<String, Optional<String>> driverSecrets;
  private long epoch;

  /// @param url `spark://host:port`
  /// @param webUiUrl may be empty
  /// @param driverSecrets by which drivers, named by their ids, show who they are
  Outbox(
      Address self, String url, String webUiUrl, Function<String, Optional<String>> driverSecrets) {
    this.self = self;
    this.url = url;
    this.webUiUrl = webUiUrl;
    this.driverSecrets = driverSecrets;
  }

  Optional<String> driverSecret(String driverId) {
    return driverSecrets.apply(driverId);
  }

  Address self() {
    return self;
  }

  String url() {
    return url;
  }

  long epoch() {
    return epoch;
  }

  void lead(long newEpoch) {
    epoch = newEpoch;
  }

  MasterIdentity identity(MasterState state) {
    return new MasterIdentity(epoch, url, state);
  }

  void send(WorkerNode worker, Function<Stamp, ToWorker.FromItsMaster> message, Turn turn) {
    worker
        .session()
        .filter(session -> !session.isLost())
        .ifPresent(
            session -> turn.send(session.address(), message.apply(session.nextStamp(epoch))));
  }

  void send(
      ApplicationNode application,
      Function<Stamp, ToApplication.FromItsMaster> message,
      Turn turn) {
    application
        .session()
        .filter(session -> !session.isLost())
        .ifPresent(
            session -> turn.send(session.address(), message.apply(session.nextStamp(epoch))));
  }

  void sendRegistered(WorkerNode worker, Turn turn) {
    send(worker, stamp -> new ToWorker.RegisteredWorker(stamp, self, url, webUiUrl), turn);
  }

  /// @param complete whether the master knows of all executors
  void sendRegistered(ApplicationNode application, boolean complete, Turn turn) {
    List<GrantedExecutor> executors =
        application.executors().values().stream().map(ExecutorGrant::toGranted).toList();
    send(
        application,
        stamp ->
            new ToApplication.RegisteredApplication(
                stamp, application.id(), self, url, complete, executors),
        turn);
  }

  void sendRemoved(ApplicationNode application, Address to, long incarnation, Turn turn) {
    turn.send(
        to,
        new ToApplication.ApplicationRemoved(
            epoch, incarnation, application.id(), application.state(), application.message()));
  }

  void sendMasterChanged(Address to, Turn turn) {
    turn.send(to, new MasterChanged(epoch, self, url, webUiUrl));
  }

  void sendStandby(Address to, long session, Turn turn) {
    turn.send(to, new MasterInStandby(session, url));
  }
}
