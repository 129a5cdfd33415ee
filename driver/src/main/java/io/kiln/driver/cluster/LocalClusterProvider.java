package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.LocalMaster;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Setting;
import io.kiln.base.settings.Settings;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fits the executors that the settings ask for into the workers of `local-cluster[W,C,M]`.
final class LocalClusterProvider implements ExecutorSourceProvider {
  private static final Logger LOG = LoggerFactory.getLogger(LocalClusterProvider.class);
  private static final long MEBIBYTE = 1L << 20;

  @Override
  public String masterForm() {
    return "local-cluster[W,C,M]";
  }

  @Override
  public boolean serves(String master) {
    return shape(master).isPresent();
  }

  private static Optional<LocalMaster.LocalCluster> shape(String master) {
    return LocalMaster.parse(master)
        .filter(LocalMaster.LocalCluster.class::isInstance)
        .map(LocalMaster.LocalCluster.class::cast);
  }

  /// @throws KilnException `SETTING_INVALID` if no executor would fit into a worker
  @Override
  public ExecutorSource open(
      String master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation) {
    LocalMaster.LocalCluster shape = shape(master).orElseThrow();
    long heapBytes = heapBytes(shape, settings);
    Map<String, String> _ = ExecutorJvm.environment(settings); // refused before anything starts
    for (Setting<String> given : List.of(NetworkSettings.SECRET, NetworkSettings.SECRET_FILE)) {
      if (settings.isSet(given)) {
        LOG.warn(
            "{} has no effect here: it is the secret of a standalone cluster, and an application"
                + " makes its own",
            given.key());
      }
    }
    int cores = settings.find(ClusterSettings.CORES).orElse(shape.coresPerWorker());
    int perWorker = shape.coresPerWorker() / cores;
    if (perWorker == 0) {
      throw new KilnException(
          "SETTING_INVALID",
          KilnException.Kind.USER,
          ClusterSettings.CORES.key()
              + " is "
              + cores
              + ", but a worker of this local-cluster has "
              + shape.coresPerWorker()
              + " cores; ask for fewer, or give workers more");
    }
    return new LocalCluster(
        settings,
        made(ProcessDirectory.in(scratch.roots().getFirst(), "cluster")),
        secret,
        new LocalCluster.Shape(shape.workers() * perWorker, cores, heapBytes / perWorker),
        allocation);
  }

  private static Path made(Path directory) {
    try {
      return ProcessDirectory.make(directory);
    } catch (IOException e) {
      throw new KilnException(
          "LOCAL_DIR_UNUSABLE",
          KilnException.Kind.USER,
          "no scratch directory can be made: " + e + "; set spark.local.dir to another",
          e);
    }
  }

  private static long heapBytes(LocalMaster.LocalCluster shape, Settings settings) {
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
}
