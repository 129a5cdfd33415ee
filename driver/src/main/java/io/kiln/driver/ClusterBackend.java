package io.kiln.driver;

import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.listener.KilnEvent;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Master;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.Application;
import io.kiln.driver.cluster.ExecutorFleet;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.driver.cluster.Machines;
import io.kiln.network.transport.NodeAddress;
import io.kiln.process.SharedSecret;
import io.kiln.protocol.ExecutorCommand.RemoveShuffle;
import io.kiln.protocol.ExecutorCommand.UseResources;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.LaunchExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Executors in processes of their own, wherever those run. Thread-safe.
final class ClusterBackend implements Backend, BroadcastCopies {
  private final StageBinaries binaries;
  private final ExecutorFleet fleet;
  private final ExecutorSource source;
  private final boolean sourceDecides;
  private final Settings settings;
  private final Machines machines;
  private final LazyStorage storage;

  /// @param provider serves the master
  /// @param storageOptions of what the driver stores
  /// @param progress hears how far an executor's tasks are
  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  ClusterBackend(
      ExecutorSourceProvider provider,
      Master master,
      Application application,
      Supplier<StorageOptions> storageOptions,
      Machines machines,
      BiConsumer<String, List<KilnEvent.TaskProgress>> progress) {
    this.binaries = new SerializedStageBinaries(ApplicationLoader.ofProgram());
    Optional<SharedSecret> secret = SharedSecret.ofApplication(application.settings());
    this.fleet = new ExecutorFleet(application, secret, () -> storage().get(), machines, progress);
    this.storage =
        new LazyStorage(
            () -> LocalStorage.open(storageOptions.get(), application.classes(), fleet.peers()));
    this.source = provider.open(master, application, secret, machines::toAllocation);
    this.sourceDecides = provider.decidesHowMany();
    this.settings = application.settings();
    this.machines = machines;
  }

  @Override
  public LazyStorage storage() {
    return storage;
  }

  @Override
  public Optional<BroadcastCopies> broadcasts() {
    return Optional.of(this);
  }

  @Override
  public void publish(long id, Object value) {
    storage.get().shared().publish(id, value);
  }

  @Override
  public void drop(long id) {
    fleet.dropBroadcast(id);
  }

  @Override
  public void remove(long id) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isPresent()) {
      opened.get().shared().withdraw(id);
    }
    fleet.dropBroadcast(id);
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
    NodeAddress driver = fleet.listen(source.driverHost());
    machines.addEdge(
        SchedulerHost.LAUNCHER,
        batch -> {
          for (Message message : batch) {
            launch((LaunchRequest) message);
          }
        });
    source.start(driver);
    if (!sourceDecides) {
      machines.toAllocation(new TargetChanged(source.executors()));
    }
    fleet.slots().await(settings, source::wantedSlots);
  }

  @Override
  public Optional<String> applicationId() {
    return source.applicationId();
  }

  private void launch(LaunchRequest request) {
    source.accept(request);
    switch (request) {
      case StopExecutor(String id, String why, boolean _) -> fleet.stop(id, why);
      case ReleaseExecutor(String id, String why) -> fleet.stop(id, why);
      case LaunchExecutor _ -> {}
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
  public Optional<String> threadDump(String executorId) throws InterruptedException {
    return fleet.threadDump(executorId);
  }

  @Override
  public void close() {
    fleet.close();
  }

  @Override
  public boolean awaitTasks(Duration timeout) {
    source.close();
    fleet.disconnect();
    return true;
  }
}
