package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.master.MasterEntry.DriverEntry;
import io.kiln.cluster.master.WorkerNode.DriverGrant;
import io.kiln.cluster.master.WorkerNode.DriverKey;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.cluster.protocol.ToWorker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What becomes of drivers. A worker starts a supervised one again when it fails; the master, when
/// its worker is lost.
///
/// A driver whose application is here lives, although nothing is heard of its worker: it is not
/// given up while that is so, nor started a second time. Its worker may come back to tell.
final class DriverLifecycle {
  private final Workers workers;
  private final Registry<String, DriverNode> drivers;
  private final WaitingQueue queue;
  private final ApplicationLifecycle applicationLifecycle;
  private final Outbox outbox;

  DriverLifecycle(ClusterState cluster, ApplicationLifecycle applicationLifecycle, Outbox outbox) {
    this.workers = cluster.workers();
    this.drivers = cluster.drivers();
    this.queue = cluster.queue();
    this.applicationLifecycle = applicationLifecycle;
    this.outbox = outbox;
  }

  void submit(DriverNode driver, Turn turn) {
    drivers.add(driver);
    changed(driver, turn);
  }

  void launch(DriverNode driver, WorkerNode worker, Turn turn) {
    driver.launch(worker.id());
    changed(driver, turn);
    occupy(driver, worker);
    outbox.send(
        worker,
        stamp ->
            new ToWorker.LaunchDriver(
                stamp,
                driver.id(),
                driver.key().launch(),
                driver.description(),
                outbox.driverSecret(driver.id())),
        turn);
  }

  private void occupy(DriverNode driver, WorkerNode worker) {
    workers.occupy(
        worker,
        new DriverGrant(
            driver.key(), driver.description().cores(), driver.description().memoryMebibytes()));
  }

  /// Keeps its new state, and puts it where it belongs.
  private void changed(DriverNode driver, Turn turn) {
    turn.persist(driver.toEntry());
    queue.update(driver);
    if (driver.isOver()) {
      drivers.complete(driver, turn);
    }
  }

  /// One that the master before had.
  void recover(DriverEntry entry) {
    DriverNode driver = DriverNode.of(entry);
    drivers.add(driver);
    queue.update(driver);
  }

  /// All that the master before had are [#recover]ed, and so are the workers.
  void recoverRuns(Turn turn) {
    for (DriverNode driver : List.copyOf(drivers.active())) {
      if (!driver.isWaiting()) {
        recoverRun(driver, turn);
      }
    }
  }

  private void recoverRun(DriverNode driver, Turn turn) {
    Optional<WorkerNode> worker = driver.workerId().flatMap(workers::find);
    if (worker.isPresent()) {
      occupy(driver, worker.get());
    } else {
      lose(driver, "its worker is gone", turn);
    }
  }

  /// What a worker says of one.
  void report(WorkerNode worker, DriverReport report, Turn turn) {
    DriverKey key = new DriverKey(report.driverId(), report.launch());
    Optional<DriverNode> driver =
        drivers.find(report.driverId()).filter(known -> known.isRun(key, worker.id()));
    DriverGrant grant = worker.drivers().get(key);
    if (report.state().isFinal()) {
      if (grant != null) {
        workers.release(worker, grant);
      }
      driver.ifPresent(
          known ->
              end(known, report.state(), report.message().orElse(""), report.exitCode(), turn));
    } else {
      if (grant == null) {
        workers.occupy(worker, new DriverGrant(key, report.cores(), report.memoryMebibytes()));
      }
      driver.ifPresent(known -> known.confirm(report.message().orElse("")));
      if (driver.isEmpty() || driver.get().isKilled()) {
        kill(worker, key, turn);
      }
    }
    outbox.send(
        worker,
        stamp -> new ToWorker.DriverStateKnown(stamp, key.driverId(), key.launch(), report.state()),
        turn);
  }

  private void end(
      DriverNode driver, DriverState state, String why, Optional<Integer> exitCode, Turn turn) {
    driver.end(state, why, exitCode);
    changed(driver, turn);
    applicationLifecycle.driverEnded(driver, turn);
  }

  void kill(WorkerNode worker, DriverKey key, Turn turn) {
    outbox.send(
        worker, stamp -> new ToWorker.KillDriver(stamp, key.driverId(), key.launch()), turn);
  }

  /// As somebody wants.
  ///
  /// @param driver that is not over
  void kill(DriverNode driver, Turn turn) {
    driver.kill();
    if (driver.isWaiting()) {
      end(
          driver,
          DriverState.KILLED,
          "killed while it waited for a worker",
          Optional.empty(),
          turn);
    } else {
      changed(driver, turn);
      driver
          .workerId()
          .flatMap(workers::find)
          .ifPresent(worker -> kill(worker, driver.key(), turn));
    }
  }

  /// The worker has registered and does not know of this run: it never heard of it, for it forgets
  /// none before the master knows how it ended.
  void neverStarted(WorkerNode worker, DriverGrant grant, Turn turn) {
    workers.release(worker, grant);
    drivers
        .find(grant.key().driverId())
        .filter(driver -> driver.isRun(grant.key(), worker.id()))
        .ifPresent(driver -> waitAgain(driver, DriverState.SUBMITTED, "", turn));
  }

  private void waitAgain(DriverNode driver, DriverState waiting, String why, Turn turn) {
    if (driver.isKilled()) {
      end(driver, DriverState.KILLED, "killed", Optional.empty(), turn);
    } else {
      driver.waitAgain(waiting, why);
      changed(driver, turn);
    }
  }

  /// The worker is gone, and with it this run.
  ///
  /// @param ended whether that is certain
  void loseWorker(WorkerNode worker, DriverGrant grant, String why, boolean ended, Turn turn) {
    String reason = "its worker " + worker.id() + " " + why;
    workers.release(worker, grant);
    drivers
        .find(grant.key().driverId())
        .filter(driver -> driver.isRun(grant.key(), worker.id()))
        .ifPresent(
            driver -> {
              if (ended) {
                giveUp(driver, reason, turn);
              } else {
                lose(driver, reason, turn);
              }
            });
  }

  /// It may be.
  private void lose(DriverNode driver, String why, Turn turn) {
    if (!driver.isKilled() && applicationLifecycle.hasLiveApplication(driver)) {
      driver.miss(why, turn.nowNanos());
      changed(driver, turn);
    } else {
      giveUp(driver, why, turn);
    }
  }

  /// Gives those up whose worker was lost, and whose application has been gone for so long.
  void checkMissing(Duration patience, Turn turn) {
    for (DriverNode driver : List.copyOf(drivers.active())) {
      if (driver.state() != DriverState.UNKNOWN) {
        continue;
      }
      if (applicationLifecycle.hasLiveApplication(driver)) {
        driver.miss(driver.message(), turn.nowNanos());
      } else if (driver.isKilled() || turn.nowNanos() - driver.missedNanos() > patience.toNanos()) {
        giveUp(driver, driver.message(), turn);
      }
    }
  }

  private void giveUp(DriverNode driver, String why, Turn turn) {
    if (driver.description().supervise() || driver.isKilled()) {
      waitAgain(driver, DriverState.RELAUNCHING, why, turn);
    } else {
      end(
          driver,
          DriverState.ERROR,
          why + "; submit with --supervise to have a driver started again elsewhere",
          Optional.empty(),
          turn);
    }
  }
}
