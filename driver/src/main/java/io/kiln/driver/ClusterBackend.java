package io.kiln.driver;

import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.ExecutorFleet;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.Machines;
import io.kiln.protocol.ExecutorCommand.RemoveShuffle;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorsUnwanted;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.AllocationMessage.TargetRaised;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.dag.StageGraph.Locality;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executors in processes of their own, wherever those run. Thread-safe.
final class ClusterBackend implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterBackend.class);

  private final StageBinaries binaries = new SerializedStageBinaries(TaskClassLoader.ofProgram());
  private final ExecutorFleet fleet;
  private final ExecutorSource source;
  private final Settings settings;
  private final Machines machines;

  /// @param fleet hears nobody yet
  /// @param source knows the application
  ClusterBackend(ExecutorFleet fleet, ExecutorSource source, Settings settings, Machines machines) {
    this.fleet = fleet;
    this.source = source;
    this.settings = settings;
    this.machines = machines;
  }

  @Override
  public StageBinaries binaries() {
    return binaries;
  }

  @Override
  public int slots() {
    return source.slots();
  }

  @Override
  public void start() {
    machines.addEdge(
        SchedulerHost.LAUNCHER,
        batch -> {
          for (Message message : batch) {
            launch((LaunchRequest) message);
          }
        });
    fleet.accept();
    machines.toAllocation(new TargetChanged(ExecutorTarget.of(source.executors())));
    fleet.slots().await(settings, source::wantedSlots);
  }

  private void launch(LaunchRequest request) {
    source.accept(request);
    switch (request) {
      case StopExecutor(String id, String why, boolean _) -> fleet.stop(id, why);
      case ReleaseExecutor(String id, String why) -> fleet.stop(id, why);
      case RequestExecutors _ -> {}
    }
  }

  @Override
  public boolean holds(RDD<?> rdd) {
    for (Partition partition : rdd.partitions()) {
      if (fleet.holders(rdd.id(), partition.index()).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Locality locality(RDD<?> last) {
    return new BlockLocality(fleet::holders).of(last);
  }

  @Override
  public void removeRdd(int rddId) {
    fleet.removeRdd(rddId);
  }

  @Override
  public void removeRddNow(int rddId) {
    fleet.removeRddNow(rddId);
  }

  @Override
  public void removeShuffle(int shuffleId) {
    fleet.tellAll(new RemoveShuffle(shuffleId));
  }

  @Override
  public void resourcesChanged(List<SharedResource> all) {
    fleet.tellAll(new UseResources(all));
  }

  @Override
  public void setLogLevel(String level) {
    fleet.setLogLevel(level);
  }

  @Override
  public void watchTasks(boolean watched) {
    fleet.watchTasks(watched);
  }

  @Override
  public boolean requestExecutors(ExecutorTarget target) {
    machines.toAllocation(new TargetChanged(target));
    return true;
  }

  @Override
  public boolean requestMoreExecutors(int additional) {
    machines.toAllocation(new TargetRaised(additional));
    return true;
  }

  @Override
  public boolean killExecutors(List<String> executorIds) {
    List<String> unknown = executorIds.stream().filter(id -> !fleet.has(id)).toList();
    if (!unknown.isEmpty()) {
      LOG.warn("There are no executors {}, so they can't be ended", unknown);
    }
    List<String> known = executorIds.stream().filter(fleet::has).toList();
    if (!known.isEmpty()) {
      machines.toAllocation(new ExecutorsUnwanted(known));
    }
    return !known.isEmpty();
  }

  @Override
  public Optional<String> threadDump(String executorId) throws InterruptedException {
    return fleet.threadDump(executorId);
  }

  @Override
  public void stopTasks() {
    fleet.end();
  }

  @Override
  public void close() {
    source.close();
    fleet.disconnect();
  }
}
