package io.kiln.driver;

import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.Settings;
import io.kiln.driver.cluster.Application;
import io.kiln.driver.cluster.DriverPort;
import io.kiln.driver.cluster.ExecutorFleet;
import io.kiln.driver.cluster.ExecutorSource;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.executor.StorageSetup;
import io.kiln.process.ScratchDirectories;
import io.kiln.process.SharedSecret;
import io.kiln.scheduler.QueueTargets;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.storage.LocalStorage;
import java.util.Optional;

/// Puts an engine together whose tasks run in processes of their own, wherever those come from.
///
/// The application is made known to the cluster as soon as the driver's port is taken: that gives
/// it the id which executors, broadcasts and listeners know it by. If a step fails, nothing of
/// those before is left behind.
///
/// @param parts what needs no id
/// @param scratch where the driver may write
/// @param source starts nothing before the application is made known to it
record ClusterAssembly(
    ApplicationParts parts,
    ScratchDirectories scratch,
    SchedulerHost scheduler,
    Optional<SharedSecret> secret,
    ExecutorSource source) {

  /// @param provider of the master
  /// @return started
  static EngineParts assemble(Settings settings, String master, ExecutorSourceProvider provider) {
    SchedulerHost scheduler =
        new SchedulerHost(
            schedulerOptions(settings),
            Optional.of(
                AllocationSetup.options(
                    settings, provider.traits(), settings.get(NetworkSettings.TIMEOUT))));
    ScratchDirectories usual = ApplicationParts.scratch(settings);
    Optional<SharedSecret> secret = SharedSecret.ofApplication(settings);
    ExecutorSource source = provider.open(master, settings, usual, secret, scheduler::toAllocation);
    try {
      ScratchDirectories scratch = source.driverScratch(usual);
      ApplicationParts parts = ApplicationParts.of(settings, scratch);
      return new ClusterAssembly(parts, scratch, scheduler, secret, source).atPort();
    } catch (RuntimeException | Error e) {
      source.close();
      throw e;
    }
  }

  private static SchedulerOptions schedulerOptions(Settings settings) {
    return SchedulerSetup.options(settings)
        .withMaxTaskFailures(settings.get(ClusterSettings.TASK_MAX_FAILURES))
        .withQueue(QueueTargets.BETWEEN_PROCESSES);
  }

  private EngineParts atPort() {
    DriverPort port = DriverPort.take(parts.settings(), secret, source.driverHost(), scheduler);
    try {
      return started(port, source.register(port.address()));
    } catch (RuntimeException | Error e) {
      port.close();
      throw e;
    }
  }

  private EngineParts started(DriverPort port, String applicationId) {
    Settings settings = parts.settings();
    Optional<byte[]> ioKey = StorageSetup.newIoKey(settings);
    LazyStorage storage =
        new LazyStorage(
            () ->
                LocalStorage.open(
                    StorageSetup.options(settings, scratch, ioKey), parts.classes(), port.peers()));
    Application application =
        new Application(
            applicationId,
            settings,
            parts.classes(),
            TaskClassLoader.ofProgram() == ClusterAssembly.class.getClassLoader(),
            ioKey,
            parts.files());
    ExecutorFleet fleet =
        new ExecutorFleet(application, port, storage, scheduler, parts.status()::progress);
    return EngineParts.start(
        applicationId,
        parts,
        storage,
        Optional.of(new FleetBroadcasts(storage, fleet)),
        new ClusterBackend(fleet, source, settings, scheduler),
        scheduler);
  }
}
