package io.kiln.cluster.master;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEntry.ApplicationEntry;
import io.kiln.cluster.master.MasterEvent.ApplicationLinkDue;
import io.kiln.cluster.master.MasterEvent.WaitingDue;
import io.kiln.cluster.protocol.ApplicationDescription;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DescriptionCheck;
import io.kiln.cluster.protocol.ExecutorRequest;
import io.kiln.cluster.protocol.FromApplication;
import io.kiln.cluster.protocol.FromApplication.ApplicationHeartbeat;
import io.kiln.cluster.protocol.FromApplication.KillExecutors;
import io.kiln.cluster.protocol.FromApplication.RegisterApplication;
import io.kiln.cluster.protocol.FromApplication.RequestExecutors;
import io.kiln.cluster.protocol.FromApplication.UnregisterApplication;
import io.kiln.cluster.protocol.ToApplication;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The sessions of a leading master with applications: registrations, heartbeats, what applications
/// ask for, and their loss.
final class ApplicationSessions {
  private final Registry<Long, ApplicationNode> applications;
  private final Registry<String, DriverNode> drivers;
  private final WaitingQueue queue;
  private final ExecutorLifecycle executorLifecycle;
  private final ApplicationLifecycle applicationLifecycle;
  private final Ids ids;
  private final Shortage shortage;
  private final Outbox outbox;
  private final MasterOptions options;
  private final Map<Address, ApplicationNode> byAddress = new HashMap<>();

  /// Counts applications.
  private long nextOrder;

  ApplicationSessions(
      ClusterState cluster,
      ExecutorLifecycle executorLifecycle,
      ApplicationLifecycle applicationLifecycle,
      Ids ids,
      Shortage shortage,
      Outbox outbox,
      MasterOptions options) {
    this.applications = cluster.applications();
    this.drivers = cluster.drivers();
    this.queue = cluster.queue();
    this.executorLifecycle = executorLifecycle;
    this.applicationLifecycle = applicationLifecycle;
    this.ids = ids;
    this.shortage = shortage;
    this.outbox = outbox;
    this.options = options;
  }

  /// @param recovering whether this master may not know of all executors yet
  void handle(FromApplication message, boolean recovering, Turn turn) {
    switch (message) {
      case RegisterApplication register -> register(register, recovering, turn);
      case ApplicationHeartbeat heartbeat -> heartbeat(heartbeat, turn);
      case RequestExecutors request ->
          inSession(request, request.applicationId(), turn)
              .ifPresent(application -> request(application, request.request(), turn));
      case KillExecutors kill ->
          inSession(kill, kill.applicationId(), turn)
              .ifPresent(application -> kill(application, kill.executorIds(), turn));
      case UnregisterApplication unregister -> unregister(unregister, turn);
    }
  }

  /// One that the master before had.
  void recover(ApplicationEntry entry, Turn turn) {
    ApplicationNode application =
        ApplicationNode.recover(entry, options.scheduling().defaultCores(), nextOrder++);
    applications.add(application);
    if (!application.isOver()) {
      outbox.sendMasterChanged(application.address(), turn);
    }
  }

  // registration

  private void register(RegisterApplication register, boolean recovering, Turn turn) {
    Optional<ApplicationNode> known = applications.findByRequestKey(register.incarnation());
    if (known.isPresent()) {
      registerAgain(known.get(), register, recovering, turn);
      return;
    }
    String problem = problem(register.application());
    if (register.applicationId().isPresent()) {
      turn.send(
          register.address(),
          new ToApplication.ApplicationRemoved(
              outbox.epoch(),
              register.incarnation(),
              register.applicationId().get(),
              ApplicationState.FAILED,
              "the master at "
                  + outbox.url()
                  + " does not know it: it was started without the memory of the one before"
                  + " (spark.deploy.recoveryMode), or has forgotten an application that was over"));
    } else if (!problem.isEmpty()) {
      turn.send(
          register.address(),
          new ToApplication.RegisterApplicationFailed(register.session(), problem));
    } else {
      ApplicationNode application = create(register, turn);
      applications.add(application);
      turn.persist(application.toEntry());
      accept(application, register, recovering, turn);
    }
  }

  /// A driver's key ends with the driver: who has stolen it can do nothing by it any more.
  ///
  /// @return empty if there is none
  private String problem(ApplicationDescription description) {
    Optional<String> driverId = description.driverId();
    if (driverId.isPresent() && drivers.findActive(driverId.get()).isEmpty()) {
      return "driver "
          + driverId.get()
          + (drivers.find(driverId.get()).isPresent()
              ? ", in whose name it asks, has ended"
              : ", in whose name it asks, is not known to the master at " + outbox.url());
    }
    return DescriptionCheck.problem(description);
  }

  private ApplicationNode create(RegisterApplication register, Turn turn) {
    ApplicationEntry entry =
        ApplicationEntry.first(ids.nextApplication(turn), register, ids.now(turn));
    return new ApplicationNode(entry, options.scheduling().defaultCores(), nextOrder++);
  }

  private void registerAgain(
      ApplicationNode application, RegisterApplication register, boolean recovering, Turn turn) {
    if (application.isOver()) {
      outbox.sendRemoved(application, register.address(), register.incarnation(), turn);
    } else if (application
        .session()
        .filter(session -> session.id() >= register.session())
        .isEmpty()) {
      accept(application, register, recovering, turn);
    }
  }

  private void accept(
      ApplicationNode application, RegisterApplication register, boolean recovering, Turn turn) {
    application.setSession(
        new PeerSession(register.address(), register.session(), turn.nowNanos()));
    byAddress.put(register.address(), application);
    request(application, register.request(), turn);
    outbox.sendRegistered(application, !recovering, turn);
    executorLifecycle.sendDecommissioned(application, turn);
    queue.update(application, turn.nowNanos());
    executorLifecycle.watchWaiting(application, options.waits().firstReport(), turn);
  }

  // while it is there

  private Optional<ApplicationNode> inSession(
      FromApplication message, String applicationId, Turn turn) {
    Optional<ApplicationNode> application =
        applications
            .findActive(applicationId)
            .filter(known -> known.incarnation() == message.incarnation())
            .filter(
                known ->
                    known
                        .session()
                        .filter(session -> !session.isLost() && session.id() == message.session())
                        .isPresent());
    application
        .flatMap(ApplicationNode::session)
        .ifPresent(session -> session.heard(turn.nowNanos()));
    return application;
  }

  private void heartbeat(ApplicationHeartbeat heartbeat, Turn turn) {
    Optional<ApplicationNode> application =
        inSession(heartbeat, heartbeat.applicationId(), turn)
            .filter(
                known ->
                    known.session().orElseThrow().heartbeat(heartbeat.seen(), turn.nowNanos()));
    if (application.isEmpty()) {
      turn.send(
          heartbeat.address(),
          new ToApplication.ReconnectApplication(
              outbox.epoch(), heartbeat.incarnation(), heartbeat.session(), outbox.self()));
      return;
    }
    turn.send(
        heartbeat.address(), new ToApplication.HeartbeatSeen(outbox.epoch(), heartbeat.session()));
    request(application.get(), heartbeat.request(), turn);
    kill(application.get(), heartbeat.unwanted(), turn);
  }

  private void request(ApplicationNode application, ExecutorRequest request, Turn turn) {
    if (application.take(request)) {
      turn.persist(application.toEntry());
      queue.update(application, turn.nowNanos());
    }
  }

  private void kill(ApplicationNode application, List<Integer> executorIds, Turn turn) {
    for (int id : executorIds) {
      ExecutorGrant executor = application.executors().get(id);
      if (executor != null && !executor.isStopping()) {
        executorLifecycle.stop(executor, "its application asked for it", turn);
      }
    }
  }

  private void unregister(UnregisterApplication unregister, Turn turn) {
    Optional<ApplicationNode> application =
        applications
            .find(unregister.applicationId())
            .filter(known -> known.incarnation() == unregister.incarnation());
    if (application.isPresent() && !application.get().isOver()) {
      applicationLifecycle.end(
          application.get(), ApplicationState.FINISHED, "it was stopped", turn);
    } else {
      turn.send(
          unregister.address(),
          new ToApplication.ApplicationRemoved(
              outbox.epoch(),
              unregister.incarnation(),
              unregister.applicationId(),
              application.map(ApplicationNode::state).orElse(ApplicationState.FINISHED),
              application.map(ApplicationNode::message).orElse("it was over")));
    }
  }

  void waitingDue(WaitingDue due, Turn turn) {
    applications
        .find(due.applicationId())
        .filter(application -> application.state() == ApplicationState.WAITING)
        .ifPresent(
            application -> {
              String why = shortage.why(application, turn.nowNanos());
              if (!why.isEmpty()) {
                outbox.send(
                    application, stamp -> new ToApplication.WaitingForResources(stamp, why), turn);
              }
              executorLifecycle.watchWaiting(application, options.waits().nextReport(), turn);
            });
  }

  void retryDue(String applicationId, Turn turn) {
    applications
        .findActive(applicationId)
        .ifPresent(application -> queue.update(application, turn.nowNanos()));
  }

  // loss

  void linkLost(Address address, Turn turn) {
    ApplicationNode application = byAddress.get(address);
    if (application == null
        || application.session().filter(session -> !session.isLost()).isEmpty()) {
      return;
    }
    application.session().ifPresent(PeerSession::lose);
    queue.update(application, turn.nowNanos());
    ApplicationLinkDue due =
        new ApplicationLinkDue(
            outbox.epoch(), application.id(), application.session().orElseThrow().id());
    turn.startTimer(due, options.waits().linkGrace(), due);
  }

  void linkDue(ApplicationLinkDue due, Turn turn) {
    applications
        .findActive(due.applicationId())
        .filter(
            application ->
                application.session().filter(session -> isStillLost(session, due)).isPresent())
        .ifPresent(
            application ->
                fail(
                    application,
                    "its driver lost its connection, and did not come back within "
                        + options.waits().linkGrace().toSeconds()
                        + " s",
                    turn));
  }

  private static boolean isStillLost(PeerSession session, ApplicationLinkDue due) {
    return session.isLost() && session.id() == due.session();
  }

  void checkSilence(Turn turn) {
    long limit = options.waits().applicationSilence().toNanos();
    byAddress.values().removeIf(application -> application.isOver());
    for (ApplicationNode application : List.copyOf(applications.active())) {
      if (application
          .session()
          .filter(session -> turn.nowNanos() - session.heardNanos() > limit)
          .isPresent()) {
        fail(
            application,
            "its driver was silent for " + options.waits().applicationSilence().toSeconds() + " s",
            turn);
      }
    }
  }

  /// Tells those again that have not come to this master.
  void remindUnknown(Turn turn) {
    for (ApplicationNode application : applications.active()) {
      if (application.state() == ApplicationState.UNKNOWN) {
        outbox.sendMasterChanged(application.address(), turn);
      }
    }
  }

  /// Those that the master before had and that have not come.
  void loseUnknown(Turn turn) {
    for (ApplicationNode application : List.copyOf(applications.active())) {
      if (application.state() == ApplicationState.UNKNOWN) {
        fail(application, "its driver did not come to the master that took over", turn);
      }
    }
  }

  /// This master knows everything now.
  void recovered(Turn turn) {
    for (ApplicationNode application : applications.active()) {
      outbox.sendRegistered(application, true, turn);
      queue.update(application, turn.nowNanos());
    }
  }

  private void fail(ApplicationNode application, String why, Turn turn) {
    applicationLifecycle.lost(application, why, turn);
  }
}
