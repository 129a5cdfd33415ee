package io.kiln.driver;

import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.LocalMaster;
import io.kiln.base.settings.Settings;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.NotSerializable;
import io.kiln.driver.cluster.LocalApplicationIds;
import io.kiln.driver.cluster.TaskProgressReader;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.LocalResultEncoder;
import io.kiln.executor.ReaperOptions;
import io.kiln.executor.StorageSetup;
import io.kiln.process.ScratchDirectories;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.storage.LocalStorage;
import java.util.Optional;

/// Puts an engine together whose tasks run in this process.
final class LocalAssembly {
  private LocalAssembly() {}

  /// @return started
  static EngineParts assemble(Settings settings, LocalMaster.Local master) {
    ScratchDirectories scratch = ApplicationParts.scratch(settings);
    ApplicationParts parts = ApplicationParts.of(settings, scratch);
    Optional<byte[]> ioKey = StorageSetup.newIoKey(settings);
    LazyStorage storage =
        new LazyStorage(
            () ->
                LocalStorage.open(StorageSetup.options(settings, scratch, ioKey), parts.classes()));
    SchedulerOptions options =
        SchedulerSetup.options(settings).withMaxTaskFailures(master.maxTaskFailures());
    SchedulerHost scheduler = new SchedulerHost(options, Optional.empty());
    Backend backend =
        new InProcessBackend(
            executor(master, parts, storage, scheduler),
            master.slots(),
            storage,
            parts.classes(),
            scheduler);
    return EngineParts.start(
        LocalApplicationIds.next(), parts, storage, Optional.empty(), backend, scheduler);
  }

  private static Executor executor(
      LocalMaster.Local master,
      ApplicationParts parts,
      LazyStorage storage,
      SchedulerHost scheduler) {
    Settings settings = parts.settings();
    return new Executor(
        new ExecutorSettings(
            InProcessBackend.EXECUTOR_ID,
            InProcessBackend.INCARNATION,
            master.slots(),
            settings.get(ApplicationSettings.MAX_RESULT_SIZE),
            parts.files().directory(),
            settings.get(ClusterSettings.HEARTBEAT_INTERVAL),
            ReaperOptions.of(settings).withoutEnd()),
        storage,
        new LocalResultEncoder(() -> storage.get().serializer()),
        LocalAssembly::culprit,
        OwnProcess.fatalErrors(),
        report -> scheduler.toTasks(new TasksUpdated(report)),
        tasks ->
            parts.status().progress(InProcessBackend.EXECUTOR_ID, TaskProgressReader.of(tasks)));
  }

  private static Optional<String> culprit(Object result) {
    return ClosureInspector.inspect(result, "result") instanceof NotSerializable(String why)
        ? Optional.of(why)
        : Optional.empty();
  }
}
