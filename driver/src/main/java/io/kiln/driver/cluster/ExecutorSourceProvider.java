package io.kiln.driver.cluster;

import io.kiln.base.settings.Settings;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.ManagerTraits;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/// A kind of cluster that gives executors. The engine finds those of other rooms by
/// [ServiceLoader], where the master is neither local nor a local cluster.
public interface ExecutorSourceProvider {

  /// How its masters are written, for people.
  String masterForm();

  /// Whether it is one of its masters.
  boolean serves(String master);

  /// How the cluster manager behaves when executors fail or vanish.
  default ManagerTraits traits() {
    return ManagerTraits.DEFAULT;
  }

  /// Starts nothing yet.
  ///
  /// @param scratch where this process may write
  /// @param secret of the application
  /// @param allocation hears of executors, on any thread
  /// @throws io.kiln.api.KilnException `SETTING_INVALID`, `LOCAL_DIR_UNUSABLE`
  ExecutorSource open(
      String master,
      Settings settings,
      ScratchDirectories scratch,
      Optional<SharedSecret> secret,
      Consumer<AllocationMessage> allocation);

  /// The one for this master, if the engine has it.
  static Optional<ExecutorSourceProvider> of(String master) {
    ExecutorSourceProvider own = new LocalClusterProvider();
    return own.serves(master)
        ? Optional.of(own)
        : others().stream().filter(provider -> provider.serves(master)).findFirst();
  }

  /// Those of other rooms.
  static List<ExecutorSourceProvider> others() {
    return ServiceLoader.load(
            ExecutorSourceProvider.class, ExecutorSourceProvider.class.getClassLoader())
        .stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }
}
