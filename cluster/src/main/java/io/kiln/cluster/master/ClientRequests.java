package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DescriptionCheck;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.FromClient;
import io.kiln.cluster.protocol.FromClient.RequestClearCompleted;
import io.kiln.cluster.protocol.FromClient.RequestDecommissionWorkers;
import io.kiln.cluster.protocol.FromClient.RequestDriverStatus;
import io.kiln.cluster.protocol.FromClient.RequestKillAllDrivers;
import io.kiln.cluster.protocol.FromClient.RequestKillApplication;
import io.kiln.cluster.protocol.FromClient.RequestKillDriver;
import io.kiln.cluster.protocol.FromClient.RequestMasterState;
import io.kiln.cluster.protocol.FromClient.RequestSubmitDriver;
import io.kiln.cluster.protocol.MasterIdentity;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DecommissionWorkersResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillApplicationResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.MasterStateResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import java.util.List;
import java.util.Optional;

/// What a leading master answers to those who submit drivers, kill, and look.
final class ClientRequests {
  private final ClusterState cluster;
  private final MasterOptions.Retention retention;
  private final DriverLifecycle driverLifecycle;
  private final ApplicationLifecycle applicationLifecycle;
  private final WorkerSessions workerSessions;
  private final Ids ids;
  private final StatusReport status;

  ClientRequests(
      ClusterState cluster,
      MasterOptions.Retention retention,
      DriverLifecycle driverLifecycle,
      ApplicationLifecycle applicationLifecycle,
      WorkerSessions workerSessions,
      Ids ids,
      StatusReport status) {
    this.cluster = cluster;
    this.retention = retention;
    this.driverLifecycle = driverLifecycle;
    this.applicationLifecycle = applicationLifecycle;
    this.workerSessions = workerSessions;
    this.ids = ids;
    this.status = status;
  }

  void handle(FromClient request, MasterIdentity master, Turn turn) {
    turn.send(request.replyTo(), answer(request, master, turn));
  }

  private ToClient answer(FromClient request, MasterIdentity master, Turn turn) {
    return switch (request) {
      case RequestSubmitDriver submit -> submit(submit, master, turn);
      case RequestKillDriver kill -> kill(kill, master, turn);
      case RequestKillAllDrivers all -> killAll(all, master, turn);
      case RequestDriverStatus asked -> status(asked, master);
      case RequestKillApplication kill -> killApplication(kill, master, turn);
      case RequestClearCompleted clear -> {
        int over =
            cluster.drivers().clearCompleted(turn) + cluster.applications().clearCompleted(turn);
        yield new ClearCompletedResponse(
            clear.requestId(), master, true, over + " that were over are forgotten");
      }
      case RequestDecommissionWorkers decommission -> {
        int told = workerSessions.decommission(decommission.hosts(), turn);
        yield new DecommissionWorkersResponse(
            decommission.requestId(), master, true, told, told + " workers take nothing more");
      }
      case RequestMasterState asked ->
          new MasterStateResponse(asked.requestId(), master, status.cluster(turn.nowNanos()));
    };
  }

  /// What a master says that does not lead.
  static ToClient refuse(FromClient request, MasterIdentity master) {
    String why = "the master at " + master.masterUrl() + " is in standby; ask the one that leads";
    String id = request.requestId();
    return switch (request) {
      case RequestSubmitDriver _ ->
          new SubmitDriverResponse(id, master, false, Optional.empty(), why);
      case RequestKillDriver kill ->
          new KillDriverResponse(id, master, kill.driverId(), false, why);
      case RequestKillAllDrivers _ -> new KillAllDriversResponse(id, master, false, why);
      case RequestDriverStatus _ -> new DriverStatusResponse(id, master, Optional.empty(), why);
      case RequestKillApplication _ -> new KillApplicationResponse(id, master, false, why);
      case RequestClearCompleted _ -> new ClearCompletedResponse(id, master, false, why);
      case RequestDecommissionWorkers _ ->
          new DecommissionWorkersResponse(id, master, false, 0, why);
      case RequestMasterState _ -> new MasterStateResponse(id, master, StatusReport.NOTHING);
    };
  }

  private ToClient submit(RequestSubmitDriver submit, MasterIdentity master, Turn turn) {
    String id = submit.requestId();
    DriverDescription description = submit.driver();
    String problem = DescriptionCheck.problem(description);
    if (!problem.isEmpty()) {
      return new SubmitDriverResponse(id, master, false, Optional.empty(), problem);
    }
    Optional<DriverNode> known = cluster.drivers().findByRequestKey(id);
    if (known.isEmpty() && cluster.queue().waitingDrivers() >= retention.waitingDrivers()) {
      return new SubmitDriverResponse(
          id,
          master,
          false,
          Optional.empty(),
          cluster.queue().waitingDrivers()
              + " drivers wait for a worker, which is the limit"
              + " (spark.kiln.deploy.maxWaitingDrivers): try again later, or kill some of them");
    }
    DriverNode driver =
        known.orElseGet(
            () -> {
              DriverNode accepted =
                  new DriverNode(ids.nextDriver(turn), id, description, ids.now(turn));
              driverLifecycle.submit(accepted, turn);
              return accepted;
            });
    return new SubmitDriverResponse(
        id,
        master,
        true,
        Optional.of(driver.id()),
        "Driver successfully submitted as " + driver.id());
  }

  private ToClient kill(RequestKillDriver kill, MasterIdentity master, Turn turn) {
    Optional<DriverNode> driver = cluster.drivers().find(kill.driverId());
    boolean alive = driver.filter(known -> !known.state().isFinal()).isPresent();
    String message;
    if (alive) {
      driverLifecycle.kill(driver.get(), turn);
      message = "Kill request for " + kill.driverId() + " submitted";
    } else {
      message =
          driver
              .map(known -> "driver " + known.id() + " is already " + known.state())
              .orElse("driver " + kill.driverId() + " is unknown");
    }
    return new KillDriverResponse(kill.requestId(), master, kill.driverId(), alive, message);
  }

  private ToClient killAll(RequestKillAllDrivers all, MasterIdentity master, Turn turn) {
    List<DriverNode> active = List.copyOf(cluster.drivers().active());
    active.forEach(driver -> driverLifecycle.kill(driver, turn));
    return new KillAllDriversResponse(
        all.requestId(), master, true, "Kill request for " + active.size() + " drivers submitted");
  }

  private ToClient status(RequestDriverStatus asked, MasterIdentity master) {
    Optional<DriverStatus> driver = cluster.drivers().find(asked.driverId()).map(status::driver);
    String message =
        driver.map(DriverStatus::message).orElse("driver " + asked.driverId() + " is unknown");
    return new DriverStatusResponse(asked.requestId(), master, driver, message);
  }

  private ToClient killApplication(RequestKillApplication kill, MasterIdentity master, Turn turn) {
    Optional<ApplicationNode> application = cluster.applications().findActive(kill.applicationId());
    application.ifPresent(
        known ->
            applicationLifecycle.end(
                known, ApplicationState.KILLED, "it was killed by request", turn));
    return new KillApplicationResponse(
        kill.requestId(),
        master,
        application.isPresent(),
        application.isPresent()
            ? "application " + kill.applicationId() + " is killed"
            : "application " + kill.applicationId() + " does not run");
  }
}
