package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ToWorker;
import java.util.List;

/// How applications end.
final class ApplicationEnds {
  private final Workers workers;
  private final Applications applications;
  private final Outbox outbox;
  private final WallClock clock;

  ApplicationEnds(Workers workers, Applications applications, Outbox outbox, WallClock clock) {
    this.workers = workers;
    this.applications = applications;
    this.outbox = outbox;
    this.clock = clock;
  }

  /// Its executors are stopped, by the workers, and its directories go.
  ///
  /// @param state final
  /// @param why for people
  void end(ApplicationNode application, ApplicationState state, String why, Turn turn) {
    application.end(state, why, clock.at(turn.nowNanos()));
    turn.persist(application.toEntry());
    application
        .link()
        .ifPresent(
            link -> outbox.removed(application, link.address(), application.incarnation(), turn));
    for (ExecutorGrant executor : List.copyOf(application.executors().values())) {
      executor.stop("its application is over");
      applications.revoke(application, executor); // what it has on its worker, it keeps for now
    }
    for (String workerId : application.workersUsed()) {
      workers
          .find(workerId)
          .ifPresent(
              worker ->
                  outbox.send(
                      worker,
                      stamp -> new ToWorker.ApplicationFinished(stamp, application.id()),
                      turn));
    }
    applications.complete(application, turn);
  }
}
