package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker;
import java.util.List;

/// How applications end. One whose driver the cluster runs ends no worse than that driver.
final class ApplicationLifecycle {
  private static final String DRIVER_FINISHED = "its driver finished";
  private static final String DRIVER_ENDED = "its driver ended: ";

  private final ClusterState cluster;
  private final Outbox outbox;
  private final WallClock clock;

  ApplicationLifecycle(ClusterState cluster, Outbox outbox, WallClock clock) {
    this.cluster = cluster;
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
            .flatMap(cluster.drivers()::find)
            .filter(driver -> driver.state() == DriverState.FINISHED)
            .isPresent();
    if (finished) {
      end(application, ApplicationState.FINISHED, DRIVER_FINISHED, turn);
    } else {
      end(application, ApplicationState.FAILED, why, turn);
    }
  }

  /// The driver is over, and with it what asks in its name: no master was there to hear that its
  /// application was over, or somebody else holds its key.
  void driverEnded(DriverNode driver, Turn turn) {
    for (ApplicationNode application : List.copyOf(cluster.applications().active())) {
      if (!application.isOf(driver)) {
        continue;
      }
      if (driver.state() == DriverState.FINISHED) {
        end(application, ApplicationState.FINISHED, DRIVER_FINISHED, turn);
      } else {
        end(application, ApplicationState.FAILED, DRIVER_ENDED + driver.state(), turn);
      }
    }
  }

  /// Whether an application of this driver is here, or may come back: then the driver lives,
  /// whatever has become of its worker.
  boolean hasLiveApplication(DriverNode driver) {
    return cluster.applications().active().stream()
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
                outbox.sendRemoved(
                    application, session.address(), application.incarnation(), turn));
    for (ExecutorGrant executor : List.copyOf(application.executors().values())) {
      executor.stop("its application is over");
      cluster.grants().revoke(application, executor); // what it has on its worker, it keeps for now
    }
    for (WorkerNode worker : List.copyOf(cluster.workers().all())) {
      if (application.mayHaveUsed(worker.id())) {
        outbox.send(
            worker, stamp -> new ToWorker.ApplicationFinished(stamp, application.id()), turn);
      }
    }
    cluster.queue().remove(application);
    cluster.applications().complete(application, turn);
  }
}
