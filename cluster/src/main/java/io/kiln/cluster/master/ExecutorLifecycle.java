package io.kiln.cluster.master;

import io.kiln.base.machine.RepeatedFailures;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEvent.RetryDue;
import io.kiln.cluster.master.MasterEvent.WaitingDue;
import io.kiln.cluster.master.MasterEvent.WorkerRestDue;
import io.kiln.cluster.master.MasterOptions.Waits;
import io.kiln.cluster.master.Placement.Placed;
import io.kiln.cluster.protocol.ApplicationState;
import io.kiln.cluster.protocol.ExecutorState;
import io.kiln.cluster.protocol.ExecutorStatus;
import io.kiln.cluster.protocol.ToApplication;
import io.kiln.cluster.protocol.ToWorker;
import io.kiln.cluster.protocol.WorkerState;
import java.time.Duration;
import java.util.Optional;

/// What becomes of executors. An application hears of each that it is granted, and later that it is
/// over; its room on the worker is free again when the worker has said that it ended, or is gone.
final class ExecutorLifecycle {
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final ClusterState cluster;
  private final Workers workers;
  private final Grants grants;
  private final ApplicationLifecycle applicationLifecycle;
  private final Outbox outbox;
  private final MasterOptions options;

  ExecutorLifecycle(
      ClusterState cluster,
      ApplicationLifecycle applicationLifecycle,
      Outbox outbox,
      MasterOptions options) {
    this.cluster = cluster;
    this.workers = cluster.workers();
    this.grants = cluster.grants();
    this.applicationLifecycle = applicationLifecycle;
    this.outbox = outbox;
    this.options = options;
  }

  /// Starts one.
  void launch(ApplicationNode application, Placed<WorkerNode> placed, Turn turn) {
    if (application.needsExecutorIds()) {
      application.reserveExecutorIds();
      turn.persist(application.toEntry());
    }
    int id = application.takeExecutorId();
    int memory = application.description().executorMemoryMebibytes();
    ExecutorGrant executor =
        new ExecutorGrant(
            new ExecutorGrant.Key(application.id(), id), placed.room(), placed.cores(), memory);
    workers.occupy(executor);
    grants.grant(application, executor);
    outbox.send(
        placed.room(),
        stamp ->
            new ToWorker.LaunchExecutor(
                stamp, application.id(), id, application.description(), placed.cores(), memory),
        turn);
    sendAdded(application, executor, turn);
    application.failures().delayNextTry(turn.nowNanos());
    retryLater(application, turn);
  }

  private void retryLater(ApplicationNode application, Turn turn) {
    Duration wait = application.failures().waitLeft(turn.nowNanos());
    if (wait.isPositive()) {
      RetryDue due = new RetryDue(outbox.epoch(), application.id());
      turn.startTimer(due, wait, due);
    }
  }

  private void sendAdded(ApplicationNode application, ExecutorGrant executor, Turn turn) {
    outbox.send(
        application, stamp -> new ToApplication.ExecutorAdded(stamp, executor.toGranted()), turn);
  }

  /// What a worker says of one.
  ///
  /// @param adopting whether one that this master does not know may be its application's: while it
  ///     recovers
  void report(WorkerNode worker, ExecutorStatus report, boolean adopting, Turn turn) {
    ExecutorGrant.Key key = new ExecutorGrant.Key(report.applicationId(), report.executorId());
    ExecutorGrant executor = worker.executors().get(key);
    if (executor == null && !report.state().isFinal()) {
      executor = adoptOrStop(worker, key, report, adopting, turn);
    }
    outbox.send(
        worker,
        stamp ->
            new ToWorker.ExecutorStateKnown(
                stamp, report.applicationId(), report.executorId(), report.state()),
        turn);
    if (executor == null) {
      finishIfOver(worker, report.applicationId(), turn);
      return; // is known to have ended
    }
    if (report.state().isFinal()) {
      end(executor, report.state(), report.message().orElse(""), report.exitCode(), false, turn);
    } else if (report.state() == ExecutorState.RUNNING
        && executor.state() == ExecutorState.LAUNCHING) {
      executor.run(turn.nowNanos());
      worker.failedStarts().endRow();
      find(executor)
          .ifPresent(
              application -> sendUpdated(application, key, report, ExecutorState.RUNNING, turn));
    }
  }

  /// The application may have ended while no master was there: nobody has told the worker.
  private void finishIfOver(WorkerNode worker, String applicationId, Turn turn) {
    if (cluster.applications().findActive(applicationId).isEmpty()) {
      outbox.send(worker, stamp -> new ToWorker.ApplicationFinished(stamp, applicationId), turn);
    }
  }

  private void sendUpdated(
      ApplicationNode application,
      ExecutorGrant.Key key,
      ExecutorStatus report,
      ExecutorState state,
      Turn turn) {
    outbox.send(
        application,
        stamp ->
            new ToApplication.ExecutorUpdated(
                stamp, key.executorId(), state, report.message(), report.exitCode(), false),
        turn);
  }

  /// One that runs, and that this master has not granted, or has given up.
  private ExecutorGrant adoptOrStop(
      WorkerNode worker,
      ExecutorGrant.Key key,
      ExecutorStatus report,
      boolean adopting,
      Turn turn) {
    ExecutorGrant executor =
        new ExecutorGrant(key, worker, report.cores(), report.memoryMebibytes());
    workers.occupy(executor);
    Optional<ApplicationNode> application =
        cluster
            .applications()
            .findActive(key.applicationId())
            .filter(_ -> adopting)
            .filter(known -> !known.executors().containsKey(key.executorId()));
    application.ifPresentOrElse(
        known -> {
          grants.grant(known, executor);
          sendAdded(known, executor, turn);
          if (worker.state() == WorkerState.DECOMMISSIONED) {
            decommission(executor, turn);
          }
        },
        () -> stop(executor, "nobody waits for it any more", turn));
    return executor;
  }

  /// Its worker is about to go.
  void decommission(ExecutorGrant executor, Turn turn) {
    find(executor)
        .filter(application -> application.isCounted(executor))
        .ifPresent(
            application -> {
              grants.leave(application, executor);
              cluster.queue().update(application, turn.nowNanos());
              sendDecommissioned(application, executor, turn);
            });
  }

  /// The application has registered again, and perhaps never heard of it.
  void sendDecommissioned(ApplicationNode application, Turn turn) {
    application.leaving().forEach(executor -> sendDecommissioned(application, executor, turn));
  }

  private void sendDecommissioned(ApplicationNode application, ExecutorGrant executor, Turn turn) {
    String why = "its worker " + executor.worker().id() + " is about to end";
    outbox.send(
        application,
        stamp -> new ToApplication.ExecutorDecommissioned(stamp, executor.key().executorId(), why),
        turn);
  }

  /// Has it ended by its worker; with all of its application, if that is over.
  void stop(ExecutorGrant executor, String reason, Turn turn) {
    executor.stop(reason);
    String applicationId = executor.key().applicationId();
    boolean over = cluster.applications().findActive(applicationId).isEmpty();
    outbox.send(
        executor.worker(),
        stamp ->
            over
                ? new ToWorker.ApplicationFinished(stamp, applicationId)
                : new ToWorker.KillExecutor(
                    stamp, applicationId, executor.key().executorId(), reason),
        turn);
  }

  /// The worker has registered again, and perhaps never heard that it shall stop this one.
  void repeatStop(ExecutorGrant executor, Turn turn) {
    executor.stopReason().ifPresent(reason -> stop(executor, reason, turn));
  }

  /// It has ended.
  ///
  /// @param workerLost whether its worker is gone, and all that it has written
  void end(
      ExecutorGrant executor,
      ExecutorState state,
      String message,
      Optional<Integer> exitCode,
      boolean workerLost,
      Turn turn) {
    workers.release(executor);
    if (state == ExecutorState.FAILED && !executor.isStopping()) {
      countFailedStart(executor.worker(), message, turn);
    }
    find(executor)
        .filter(application -> grants.revoke(application, executor))
        .ifPresent(
            application -> {
              outbox.send(
                  application,
                  stamp ->
                      new ToApplication.ExecutorUpdated(
                          stamp,
                          executor.key().executorId(),
                          state,
                          Optional.of(message),
                          exitCode,
                          workerLost),
                  turn);
              count(application, executor, state, message, exitCode, turn);
              if (!application.isOver()) {
                cluster.queue().update(application, turn.nowNanos());
                watchWaiting(application, options.waits().firstReport(), turn);
              }
            });
  }

  /// The application gets the next executor elsewhere, if there is an elsewhere.
  private void countFailedStart(WorkerNode worker, String why, Turn turn) {
    worker.failedStarts().add(why, turn.nowNanos());
    Duration rest = worker.failedStarts().delay();
    boolean hasOthers = workers.open().values().stream().anyMatch(other -> other != worker);
    if (rest.isPositive() && hasOthers) {
      workers.setLeftOut(worker, true);
      WorkerRestDue due = new WorkerRestDue(outbox.epoch(), worker.id());
      turn.startTimer(due, rest, due);
    }
  }

  private Optional<ApplicationNode> find(ExecutorGrant executor) {
    return cluster.applications().find(executor.key().applicationId());
  }

  /// Those that could not start, or ended badly by themselves, count.
  private void count(
      ApplicationNode application,
      ExecutorGrant executor,
      ExecutorState state,
      String message,
      Optional<Integer> exitCode,
      Turn turn) {
    boolean failed =
        state == ExecutorState.FAILED || (state == ExecutorState.EXITED && exitCode.orElse(0) != 0);
    if (!failed || executor.isStopping()) {
      return;
    }
    RepeatedFailures failures = application.failures();
    if (hasSettled(executor, turn)
        || application.executors().values().stream().anyMatch(other -> hasSettled(other, turn))) {
      failures.endRow();
    }
    failures.add(
        "executor " + executor.key() + " on " + executor.worker().id() + ": " + message,
        turn.nowNanos());
    int limit = options.scheduling().maxExecutorRetries();
    if (limit >= 0 && failures.inRow() >= limit && noneRuns(application)) {
      applicationLifecycle.end(
          application,
          ApplicationState.FAILED,
          failures.inRow()
              + " executors failed in a row, which is the limit (spark.deploy.maxExecutorRetries);"
              + " the last: "
              + failures.last()
              + "; see its log, mend that, and start the application again",
          turn);
    } else {
      retryLater(application, turn);
    }
  }

  private static boolean hasSettled(ExecutorGrant executor, Turn turn) {
    return executor.hasRunFor(SETTLED.toNanos(), turn.nowNanos());
  }

  private static boolean noneRuns(ApplicationNode application) {
    return application.executors().values().stream()
        .noneMatch(executor -> executor.state() == ExecutorState.RUNNING);
  }

  /// See [Waits#firstReport].
  void watchWaiting(ApplicationNode application, Duration wait, Turn turn) {
    if (application.executors().isEmpty()) {
      WaitingDue due = new WaitingDue(outbox.epoch(), application.id());
      turn.startTimer(due, wait, due);
    }
  }
}
