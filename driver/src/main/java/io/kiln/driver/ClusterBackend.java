package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.listener.KilnEvent;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.Master;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.Application;
import io.kiln.driver.cluster.ApplicationSecret;
import io.kiln.driver.cluster.ExecutorFleet;
import io.kiln.driver.cluster.LocalCluster;
import io.kiln.driver.cluster.Machines;
import io.kiln.executor.protocol.ExecutorCommand.RemoveShuffle;
import io.kiln.executor.protocol.ExecutorCommand.UseResources;
import io.kiln.executor.protocol.SharedResource;
import io.kiln.network.transport.NodeAddress;
import io.kiln.scheduler.allocation.AllocationMessage.TargetChanged;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// `local-cluster[W,C,M]`: executors in processes of their own, on this machine. Thread-safe.
final class ClusterBackend implements Backend, BroadcastCopies {
  private static final String HOST = "localhost";
  private static final long MEBIBYTE = 1L << 20;

  private final StageBinaries binaries;
  private final ExecutorFleet fleet;
  private final LocalCluster cluster;
  private final int executors;
  private final int coresPerExecutor;
  private final Machines machines;
  private final LazyStorage storage;

  /// @param storageOptions of what the driver stores
  /// @param progress hears how far an executor's tasks are
  /// @throws KilnException `SETTING_INVALID` if no executor would fit into a worker
  ClusterBackend(
      Master.LocalCluster shape,
      Application application,
      Supplier<StorageOptions> storageOptions,
      Machines machines,
      BiConsumer<String, List<KilnEvent.TaskProgress>> progress) {
    this.binaries = new SerializedStageBinaries(ApplicationLoader.ofProgram());
    Settings settings = application.settings();
    long heapBytes = heapBytes(shape, settings);
    this.coresPerExecutor = settings.find(ClusterSettings.CORES).orElse(shape.coresPerWorker());
    int perWorker = shape.coresPerWorker() / coresPerExecutor;
    if (perWorker == 0) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          ClusterSettings.CORES.key()
              + " is "
              + coresPerExecutor
              + ", but a worker of this local-cluster has "
              + shape.coresPerWorker()
              + " cores; ask for fewer, or give workers more");
    }
    this.executors = shape.workers() * perWorker;
    Optional<ApplicationSecret> secret = ApplicationSecret.of(settings);
    this.fleet = new ExecutorFleet(application, secret, () -> storage().get(), machines, progress);
    this.storage =
        new LazyStorage(
            () -> LocalStorage.open(storageOptions.get(), application.classes(), fleet.peers()));
    this.cluster =
        new LocalCluster(
            application, secret, heapBytes / perWorker, coresPerExecutor, machines::toAllocation);
    this.machines = machines;
  }

  private static long heapBytes(Master.LocalCluster shape, Settings settings) {
    long workerBytes = shape.memoryPerWorkerMib() * MEBIBYTE;
    long asked = settings.find(ClusterSettings.MEMORY).orElse(workerBytes);
    if (asked > workerBytes) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          ClusterSettings.MEMORY.key()
              + " asks for "
              + asked / MEBIBYTE
              + " MiB, but a worker of this local-cluster has "
              + shape.memoryPerWorkerMib()
              + " MiB; ask for less, or give workers more");
    }
    return asked;
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
    return executors * coresPerExecutor;
  }

  @Override
  public void start() {
    NodeAddress driver = fleet.listen(HOST);
    machines.addEdge(
        SchedulerHost.LAUNCHER,
        batch -> {
          for (Message message : batch) {
            launch((LaunchRequest) message, driver);
          }
        });
    machines.toAllocation(new TargetChanged(executors));
  }

  private void launch(LaunchRequest request, NodeAddress driver) {
    if (request instanceof StopExecutor(String id, String why, boolean _)) {
      fleet.stop(id, why);
    }
    cluster.accept(request, driver);
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
    cluster.close();
    fleet.disconnect();
    return true;
  }
}
