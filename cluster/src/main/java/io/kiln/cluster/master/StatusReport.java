package io.kiln.cluster.master;

import io.kiln.cluster.protocol.ClusterStatus;
import io.kiln.cluster.protocol.ClusterStatus.ApplicationStatus;
import io.kiln.cluster.protocol.ClusterStatus.ExecutorStatus;
import io.kiln.cluster.protocol.ClusterStatus.WorkerStatus;
import io.kiln.cluster.protocol.DriverStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the master knows, for people.
final class StatusReport {
  static final ClusterStatus NOTHING =
      new ClusterStatus(List.of(), List.of(), List.of(), List.of(), List.of());

  private final ClusterState cluster;
  private final Shortage shortage;
  private final WallClock clock;

  StatusReport(ClusterState cluster, Shortage shortage, WallClock clock) {
    this.cluster = cluster;
    this.shortage = shortage;
    this.clock = clock;
  }

  ClusterStatus cluster(long nowNanos) {
    return new ClusterStatus(
        cluster.workers().all().stream().map(worker -> worker(worker, nowNanos)).toList(),
        cluster.applications().active().stream().map(StatusReport::application).toList(),
        newestFirst(cluster.applications().completed(), StatusReport::application),
        cluster.drivers().active().stream().map(this::driver).toList(),
        newestFirst(cluster.drivers().completed(), this::driver));
  }

  private static <N, S> List<S> newestFirst(Collection<N> oldestFirst, Function<N, S> status) {
    return new ArrayList<>(oldestFirst.stream().map(status).toList()).reversed();
  }

  private WorkerStatus worker(WorkerNode worker, long nowNanos) {
    return new WorkerStatus(
        worker.id(),
        worker.description(),
        worker.state(),
        worker.whyLeftOut(),
        worker.coresUsed(),
        worker.memoryUsedMebibytes(),
        clock.at(worker.session().map(PeerSession::heardNanos).orElse(nowNanos)));
  }

  private static ApplicationStatus application(ApplicationNode application) {
    return new ApplicationStatus(
        application.id(),
        application.description(),
        application.state(),
        application.submitted(),
        application.ended(),
        application.coresGranted(),
        application.message(),
        application.executors().values().stream()
            .map(executor -> new ExecutorStatus(executor.toGranted(), executor.state()))
            .toList());
  }

  DriverStatus driver(DriverNode driver) {
    return new DriverStatus(
        driver.id(),
        driver.state(),
        driver.submitted(),
        driver.description(),
        driver.workerId(),
        driver
            .workerId()
            .flatMap(cluster.workers()::find)
            .map(worker -> worker.description().hostPort()),
        message(driver),
        driver.exitCode());
  }

  private String message(DriverNode driver) {
    if (!driver.isWaiting()) {
      return driver.message();
    }
    Optional<String> before = Optional.of(driver.message()).filter(text -> !text.isEmpty());
    String now = shortage.why(driver.description());
    return before.map(text -> text + "; " + now).orElse(now);
  }
}
