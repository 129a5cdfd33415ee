package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker;
import java.util.List;

/// How applications end. One whose driver the cluster runs ends no worse than that driver.
final class ApplicationLifecycle {
  private static final String DRIVER_FINISHED = "its driver finished";

  private final Workers workers;
  private final Applications applications;
  private final Drivers drivers;
  private final Outbox outbox;
  private final WallClock clock;

  ApplicationLifecycle(
      Workers workers, Applications applications, Drivers drivers, Outbox outbox, WallClock clock) {
    this.workers = workers;
    this.applications = applications;
    this.drivers = drivers;
    this.outbox = outbox;
    this.clock = clock;
  }

  /// Nothing is heard of it any more.
  ///
  /// @param why for people
  void lost(ApplicationNode application, String why, Turn turn) {
    boolean finished =
        application
            .description()
            .driverId()
            .flatMap(drivers::find)
            .filter(driver -> driver.state() == DriverState.FINISHED)
            .isPresent();
    if (finished) {
      end(application, ApplicationState.FINISHED, DRIVER_FINISHED, turn);
    } else {
      end(application, ApplicationState.FAILED, why, turn);
    }
  }

  /// The driver has finished, and no master was there to hear that its application was over.
  void driverFinished(DriverNode driver, Turn turn) {
    for (ApplicationNode application : List.copyOf(applications.active())) {
      if (application.isOf(driver)) {
        end(application, ApplicationState.FINISHED, DRIVER_FINISHED, turn);
      }
    }
  }

  /// Whether an application of this driver is here, or may come back: then the driver lives,
  /// whatever has become of its worker.
  boolean showLifeOf(DriverNode driver) {
    return applications.active().stream()
        .filter(application -> application.isOf(driver))
        .anyMatch(ApplicationNode::isAwaitedOrHere);
  }

  /// Its executors are stopped, by the workers, and its directories go.
  ///
  /// @param state final
  /// @param why for people
  void end(ApplicationNode application, ApplicationState state, String why, Turn turn) {
    application.end(state, why, clock.at(turn.nowNanos()));
    turn.persist(application.toEntry());
    application
        .session()
        .ifPresent(
            session ->
                outbox.removed(application, session.address(), application.incarnation(), turn));
    for (ExecutorGrant executor : List.copyOf(application.executors().values())) {
      executor.stop("its application is over");
      applications.revoke(application, executor); // what it has on its worker, it keeps for now
    }
    for (WorkerNode worker : List.copyOf(workers.all())) {
      if (application.mayHaveUsed(worker.id())) {
        outbox.send(
            worker, stamp -> new ToWorker.ApplicationFinished(stamp, application.id()), turn);
      }
    }
    applications.complete(application, turn);
  }
}
