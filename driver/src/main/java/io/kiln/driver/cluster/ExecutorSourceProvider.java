package io.kiln.driver.cluster;

import io.kiln.base.settings.Master;
import io.kiln.base.settings.Settings;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/// A kind of cluster that gives executors. The engine finds those of other rooms by
/// [ServiceLoader], where the master is neither local nor a local cluster.
public interface ExecutorSourceProvider {

  boolean serves(Master master);

  /// Whether the cluster decides how many executors there are, and names them.
  boolean decidesHowMany();

  /// Starts nothing yet.
  ///
  /// @param scratch where this process may write
  /// @param secret of the application
  /// @param allocation hears of executors, on any thread
  /// @throws io.kiln.api.KilnException `SETTING_INVALID`, `LOCAL_DIR_UNUSABLE`
  ExecutorSource open(
      Master master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation);

  /// The one for this master.
  ///
  /// @throws IllegalStateException if the engine lacks the room for it
  static ExecutorSourceProvider of(Master master) {
    if (master instanceof Master.LocalCluster) {
      return new LocalClusterProvider();
    }
    for (ExecutorSourceProvider provider :
        ServiceLoader.load(
            ExecutorSourceProvider.class, ExecutorSourceProvider.class.getClassLoader())) {
      if (provider.serves(master)) {
        return provider;
      }
    }
    throw new IllegalStateException("nobody gives executors for " + master);
  }
}
