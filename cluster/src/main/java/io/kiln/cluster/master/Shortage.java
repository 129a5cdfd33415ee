package io.kiln.cluster.master;

import io.kiln.base.machine.RepeatedFailures;
import io.kiln.cluster.master.Placement.Demand;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.cluster.protocol.WorkerDescription;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// Says why something waits, with the numbers.
final class Shortage {
  private final ClusterState cluster;
  private final Workers workers;
  private final MasterOptions options;

  Shortage(ClusterState cluster, MasterOptions options) {
    this.cluster = cluster;
    this.workers = cluster.workers();
    this.options = options;
  }

  /// @param application that has no executors
  /// @return empty if it wants none
  String why(ApplicationNode application, long nowNanos) {
    if (application.request().total() == 0) {
      return "";
    }
    RepeatedFailures failures = application.failures();
    if (failures.waitLeft(nowNanos).isPositive()) {
      return failures.inRow()
          + " executors failed in a row; the next is started in "
          + failures.waitLeft(nowNanos).toMillis()
          + " ms; the last: "
          + failures.last();
    }
    Demand demand = application.demand(Integer.MAX_VALUE, nowNanos);
    return why(
        "an executor",
        worker -> !application.hosts().avoids(worker),
        demand.leastCores(),
        demand.memoryMebibytes(),
        "spark.executor.cores and spark.executor.memory");
  }

  /// @param driver that waits
  String why(DriverDescription driver) {
    MasterOptions.Scheduling scheduling = options.scheduling();
    if (cluster.runningDrivers() >= scheduling.maxDrivers()) {
      return "it waits: "
          + cluster.runningDrivers()
          + " drivers run, which is the limit (spark.deploy.maxDrivers)";
    }
    double part = 1 - scheduling.shares().keptFromDrivers();
    if (part < 1
        && (workers.driverCores() + driver.cores() > workers.coresOpen() * part
            || workers.driverMemoryMebibytes() + driver.memoryMebibytes()
                > workers.memoryOpenMebibytes() * part)) {
      return "it waits: drivers have "
          + room(workers.driverCores(), workers.driverMemoryMebibytes())
          + ", and may have "
          + room((long) (workers.coresOpen() * part), (long) (workers.memoryOpenMebibytes() * part))
          + " (spark.kiln.deploy.keptFromDrivers="
          + scheduling.shares().keptFromDrivers()
          + ")";
    }
    return why(
        "it",
        _ -> true,
        driver.cores(),
        driver.memoryMebibytes(),
        "spark.driver.cores and spark.driver.memory");
  }

  /// @param mayBe on which workers it may be
  private String why(
      String what, Predicate<WorkerNode> mayBe, int cores, int memoryMebibytes, String settings) {
    List<WorkerNode> open = workers.open().values().stream().filter(mayBe).toList();
    String needs = what + " needs " + room(cores, memoryMebibytes);
    if (open.isEmpty() && !workers.open().isEmpty()) {
      return needs
          + ", but all "
          + workers.open().size()
          + " workers are on hosts that the application avoids";
    }
    if (open.isEmpty()) {
      return needs
          + leftOut()
              .map(worker -> ", but worker " + worker.id() + " is left out: " + worker.whyLeftOut())
              .orElse(", but no worker is registered; start one");
    }
    boolean canEver =
        open.stream()
            .map(WorkerNode::description)
            .anyMatch(
                worker -> worker.cores() >= cores && worker.memoryMebibytes() >= memoryMebibytes);
    if (!canEver) {
      return needs
          + ", but of "
          + open.size()
          + " workers none has both: the most are "
          + most(open, WorkerDescription::cores)
          + " cores and "
          + most(open, WorkerDescription::memoryMebibytes)
          + " MiB; lower "
          + settings
          + ", or start larger workers";
    }
    int coresFree = open.stream().mapToInt(WorkerNode::coresFree).sum();
    long memoryFree = open.stream().mapToLong(WorkerNode::memoryFreeMebibytes).sum();
    return needs
        + ", and all "
        + open.size()
        + " workers together have "
        + room(coresFree, memoryFree)
        + " free of "
        + room(sum(open, WorkerDescription::cores), sum(open, WorkerDescription::memoryMebibytes))
        + "; it waits until others are over";
  }

  private Optional<WorkerNode> leftOut() {
    return workers.all().stream().filter(WorkerNode::isLeftOut).findFirst();
  }

  private static int most(Collection<WorkerNode> among, ToIntFunction<WorkerDescription> amount) {
    return among.stream().map(WorkerNode::description).mapToInt(amount).max().orElse(0);
  }

  private static long sum(Collection<WorkerNode> among, ToIntFunction<WorkerDescription> amount) {
    return among.stream().map(WorkerNode::description).mapToLong(amount::applyAsInt).sum();
  }

  private static String room(long cores, long memoryMebibytes) {
    return cores + (cores == 1 ? " core" : " cores") + " and " + memoryMebibytes + " MiB";
  }
}
