package io.kiln.driver;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.ClusterSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.Master;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.SchedulerSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.NotSerializable;
import io.kiln.driver.cluster.Application;
import io.kiln.driver.cluster.ExecutorSourceProvider;
import io.kiln.driver.cluster.LocalCluster;
import io.kiln.driver.cluster.TaskProgressReader;
import io.kiln.driver.status.ApplicationStatus;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.LocalResultEncoder;
import io.kiln.executor.ReaperOptions;
import io.kiln.executor.StorageSetup;
import io.kiln.process.ProcessDirectory;
import io.kiln.process.ScratchDirectories;
import io.kiln.scheduler.QueueTargets;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/// What an engine is made of, and who knows whom. No pattern switches here: the first call of each
/// takes a fresh JVM milliseconds.
record EngineParts(
    String applicationId,
    Settings settings,
    ApplicationLoader loader,
    LazyStorage storage,
    ApplicationFiles files,
    ApplicationStatus status,
    AccumulatorRegistry accumulators,
    Broadcasts broadcasts,
    Planner planner,
    JobRunner jobs,
    Backend backend,
    SchedulerHost scheduler) {
  /// @throws KilnException if a setting doesn't parse or a resource can't be had
  static EngineParts assemble(KilnConf conf) {
    Settings settings = checked(conf);
    Master master = master(settings);
    String applicationId = ApplicationIds.next();
    ScratchDirectories given =
        ScratchDirectories.find(settings, Optional.ofNullable(System.getenv("SPARK_LOCAL_DIRS")));
    Optional<ExecutorSourceProvider> provider =
        master instanceof Master.Local
            ? Optional.empty()
            : Optional.of(ExecutorSourceProvider.of(master));
    Path clusterDirectory = ProcessDirectory.in(given.roots().getFirst(), "cluster");
    ScratchDirectories directories =
        master instanceof Master.LocalCluster ? within(clusterDirectory) : given;

    ApplicationLoader loader = new ApplicationLoader(ApplicationLoader.ofProgram());
    ApplicationClasses classes = ApplicationClasses.of(loader);
    Optional<byte[]> ioKey = StorageSetup.newIoKey(settings);
    Supplier<StorageOptions> storageOptions =
        () -> StorageSetup.options(settings, directories, ioKey);
    ApplicationFiles files =
        new ApplicationFiles(
            ProcessDirectory.in(directories.roots().getFirst(), "files"),
            settings.get(DependencySettings.FETCH_TIMEOUT),
            loader);
    ApplicationStatus status = new ApplicationStatus(settings);
    AccumulatorRegistry accumulators = new AccumulatorRegistry();
    long maxResultSize = settings.get(ApplicationSettings.MAX_RESULT_SIZE);

    SchedulerHost scheduler =
        new SchedulerHost(
            schedulerOptions(settings, master),
            provider.isPresent()
                ? Optional.of(
                    AllocationSetup.options(
                        settings,
                        provider.get().decidesHowMany(),
                        settings.get(NetworkSettings.TIMEOUT)))
                : Optional.empty());
    Backend backend =
        provider.isPresent()
            ? onCluster(
                provider.get(),
                master,
                new Application(
                    applicationId,
                    settings,
                    clusterDirectory,
                    classes,
                    ApplicationLoader.ofProgram() == EngineParts.class.getClassLoader(),
                    ioKey,
                    files),
                storageOptions,
                scheduler,
                status)
            : inProcess(
                (Master.Local) master,
                settings,
                new LazyStorage(() -> LocalStorage.open(storageOptions.get(), classes)),
                files,
                classes,
                scheduler,
                status);
    LazyStorage storage = backend.storage();
    Broadcasts broadcasts = new Broadcasts(applicationId, storage, backend.broadcasts());
    Planner planner = new Planner(backend);
    JobRunner jobs =
        new JobRunner(
            planner,
            scheduler::toDag,
            SchedulerHost.JOBS,
            new JobResults(() -> storage.get().serializer(), classes, accumulators, maxResultSize));
    scheduler.start(jobs, status);
    startOrEnd(backend, scheduler);
    return new EngineParts(
        backend.applicationId().orElse(applicationId),
        settings,
        loader,
        storage,
        files,
        status,
        accumulators,
        broadcasts,
        planner,
        jobs,
        backend,
        scheduler);
  }

  /// As of now: a cluster gives and takes.
  int defaultParallelism() {
    return settings.find(ApplicationSettings.DEFAULT_PARALLELISM).orElseGet(backend::slots);
  }

  /// If executors can't come, nothing is left behind.
  private static void startOrEnd(Backend backend, SchedulerHost scheduler) {
    try {
      backend.start();
    } catch (RuntimeException | Error e) {
      backend.close();
      try {
        boolean _ = backend.awaitTasks(Duration.ZERO);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      scheduler.close();
      throw e;
    }
  }

  /// If that is not possible, nothing is left behind.
  private static Backend onCluster(
      ExecutorSourceProvider provider,
      Master master,
      Application application,
      Supplier<StorageOptions> storageOptions,
      SchedulerHost scheduler,
      ApplicationStatus status) {
    try {
      return new ClusterBackend(
          provider, master, application, storageOptions, scheduler, status::progress);
    } catch (RuntimeException | Error e) {
      try {
        ProcessDirectory.remove(application.scratch());
      } catch (IOException stays) {
        e.addSuppressed(stays);
      }
      throw e;
    }
  }

  private static Backend inProcess(
      Master.Local master,
      Settings settings,
      LazyStorage storage,
      ApplicationFiles files,
      ApplicationClasses classes,
      SchedulerHost scheduler,
      ApplicationStatus status) {
    Executor executor =
        new Executor(
            new ExecutorSettings(
                InProcessBackend.EXECUTOR_ID,
                InProcessBackend.INCARNATION,
                master.slots(),
                settings.get(ApplicationSettings.MAX_RESULT_SIZE),
                files.directory(),
                settings.get(ClusterSettings.HEARTBEAT_INTERVAL),
                ReaperOptions.of(settings).withoutEnd()),
            storage,
            new LocalResultEncoder(() -> storage.get().serializer()),
            EngineParts::culprit,
            OwnProcess.fatalErrors(),
            report -> scheduler.toTasks(new TasksUpdated(report)),
            tasks -> status.progress(InProcessBackend.EXECUTOR_ID, TaskProgressReader.of(tasks)));
    return new InProcessBackend(executor, master.slots(), storage, classes, scheduler);
  }

  private static ScratchDirectories within(Path clusterDirectory) {
    try {
      return new ScratchDirectories(
          List.of(ProcessDirectory.make(clusterDirectory).resolve(LocalCluster.DRIVER)));
    } catch (IOException e) {
      throw new KilnException(
          "LOCAL_DIR_UNUSABLE",
          KilnException.Kind.USER,
          "no scratch directory can be made: " + e + "; set spark.local.dir to another",
          e);
    }
  }

  private static Settings checked(KilnConf conf) {
    Settings settings = Settings.of(conf);
    List<String> warnings = SettingsCheck.warnings(settings);
    if (!warnings.isEmpty()) {
      warnings.forEach(LoggerFactory.getLogger(DriverEngine.class)::warn);
    }
    return settings;
  }

  private static Master master(Settings settings) {
    String text = settings.find(ApplicationSettings.MASTER).orElse("");
    return Master.parse(text)
        .orElseThrow(
            () ->
                new KilnException(
                    "MASTER_INVALID",
                    KilnException.Kind.USER,
                    (text.isEmpty()
                            ? "no master is set; set spark.master (or setMaster, or --master) to "
                            : "can't use the master '" + text + "'; give ")
                        + Master.FORMS
                        + " (N tasks at once, F failures of a task allowed; W workers of C cores"
                        + " and M MiB)"));
  }

  private static SchedulerOptions schedulerOptions(Settings settings, Master master) {
    SchedulerOptions common =
        SchedulerOptions.DEFAULT.withMaxStageAttempts(
            settings.get(SchedulerSettings.STAGE_MAX_CONSECUTIVE_ATTEMPTS));
    SchedulerOptions options =
        master instanceof Master.Local local
            ? common.withMaxTaskFailures(local.maxTaskFailures())
            : common
                .withMaxTaskFailures(settings.get(ClusterSettings.TASK_MAX_FAILURES))
                .withQueue(QueueTargets.BETWEEN_PROCESSES);
    return settings.get(SchedulerSettings.MODE).equals("FAIR")
        ? options.withMode(SchedulingMode.FAIR, Pools.find(settings, ApplicationLoader.ofProgram()))
        : options;
  }

  private static Optional<String> culprit(Object result) {
    return ClosureInspector.inspect(result, "result") instanceof NotSerializable(String why)
        ? Optional.of(why)
        : Optional.empty();
  }
}
