package io.kiln.driver;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.listener.KilnEvent.TaskMetrics;
import io.kiln.base.machine.Payload;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.base.settings.DependencySettings;
import io.kiln.base.settings.SchedulerSettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
import io.kiln.driver.closure.ClosureInspector;
import io.kiln.driver.closure.Inspection.NotSerializable;
import io.kiln.driver.status.ApplicationStatus;
import io.kiln.executor.ApplicationClasses;
import io.kiln.executor.Executor;
import io.kiln.executor.ExecutorSettings;
import io.kiln.executor.ResultCodec;
import io.kiln.executor.TaskResult;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;
import io.kiln.storage.LocalStorage;
import io.kiln.storage.TaskStorageMetrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/// What an engine is made of, and who knows whom.
record EngineParts(
    String applicationId,
    Settings settings,
    int defaultParallelism,
    ApplicationLoader loader,
    LazyStorage storage,
    ApplicationFiles files,
    ApplicationStatus status,
    AccumulatorRegistry accumulators,
    Broadcasts broadcasts,
    Planner planner,
    JobRunner jobs,
    Executor executor,
    SchedulerHost scheduler) {
  private static final String EXECUTOR_ID = "driver";
  private static final long INCARNATION = 0;
  private static final long SLOT_STACK_BYTES = 16L << 20;

  /// @throws KilnException if a setting doesn't parse or a resource can't be had
  static EngineParts assemble(KilnConf conf) {
    Settings settings = checked(conf);
    LocalMaster master = master(settings);
    LocalDirectories directories =
        LocalDirectories.find(settings, Optional.ofNullable(System.getenv("SPARK_LOCAL_DIRS")));
    SchedulerOptions options = schedulerOptions(settings, master);
    String applicationId = ApplicationIds.next();

    ApplicationLoader loader = new ApplicationLoader(ApplicationLoader.ofProgram());
    LazyStorage storage =
        new LazyStorage(() -> StorageSetup.options(settings, directories), loader);
    Path ownDirectory =
        directories
            .roots()
            .getFirst()
            .resolve("kiln-files-" + ProcessHandle.current().pid() + "-" + applicationId);
    ApplicationFiles files =
        new ApplicationFiles(ownDirectory, settings.get(DependencySettings.FETCH_TIMEOUT), loader);
    ApplicationStatus status = new ApplicationStatus(settings, EngineParts::metricsOf);
    AccumulatorRegistry accumulators = new AccumulatorRegistry();
    Broadcasts broadcasts = new Broadcasts(applicationId, storage);
    ResultCodec codec = new ResultCodec(() -> storage.get().serializer());
    long maxResultSize = settings.get(ApplicationSettings.MAX_RESULT_SIZE);

    Planner planner =
        new Planner(
            new StageBinaries(ApplicationClasses.of(loader)), rdd -> isStored(rdd, storage));
    SchedulerHost scheduler = new SchedulerHost(options);
    JobRunner jobs =
        new JobRunner(
            planner,
            scheduler::toDag,
            SchedulerHost.JOBS,
            new JobResults(codec, accumulators, maxResultSize));
    Executor executor =
        new Executor(
            new ExecutorSettings(
                EXECUTOR_ID,
                INCARNATION,
                master.slots(),
                maxResultSize,
                files.directory(),
                SLOT_STACK_BYTES),
            storage,
            codec,
            EngineParts::culprit,
            OwnProcess.fatalErrors(),
            scheduler::toTasks);
    scheduler.start(jobs, status, executor);
    scheduler.registerExecutor(EXECUTOR_ID, INCARNATION, master.slots());
    return new EngineParts(
        applicationId,
        settings,
        settings.find(ApplicationSettings.DEFAULT_PARALLELISM).orElse(master.slots()),
        loader,
        storage,
        files,
        status,
        accumulators,
        broadcasts,
        planner,
        jobs,
        executor,
        scheduler);
  }

  private static Settings checked(KilnConf conf) {
    Settings settings = Settings.of(conf);
    List<String> warnings = SettingsCheck.warnings(settings);
    if (!warnings.isEmpty()) {
      warnings.forEach(LoggerFactory.getLogger(LocalEngine.class)::warn);
    }
    return settings;
  }

  private static LocalMaster master(Settings settings) {
    Optional<String> master = settings.find(ApplicationSettings.MASTER);
    if (master.isEmpty()) {
      throw new KilnException(
          "MASTER_INVALID",
          KilnException.Kind.USER,
          "no master is set; set spark.master (or setMaster, or --master) to local, local[N],"
              + " local[*] or local[N,F]");
    }
    return LocalMaster.parse(master.get());
  }

  private static SchedulerOptions schedulerOptions(Settings settings, LocalMaster master) {
    SchedulerOptions options =
        SchedulerOptions.DEFAULT
            .withMaxTaskFailures(master.maxTaskFailures())
            .withMaxStageAttempts(settings.get(SchedulerSettings.STAGE_MAX_CONSECUTIVE_ATTEMPTS));
    return settings.get(SchedulerSettings.MODE).equals("FAIR")
        ? options.withMode(SchedulingMode.FAIR, Pools.find(settings, ApplicationLoader.ofProgram()))
        : options;
  }

  private static boolean isStored(RDD<?> rdd, LazyStorage storage) {
    Optional<LocalStorage> opened = storage.ifOpen();
    if (opened.isEmpty()) {
      return false;
    }
    for (Partition partition : rdd.partitions()) {
      if (!opened.get().holds(rdd.id(), partition.index())) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> culprit(Object result) {
    return ClosureInspector.inspect(result, "result") instanceof NotSerializable(String why)
        ? Optional.of(why)
        : Optional.empty();
  }

  private static TaskMetrics metricsOf(Payload payload) {
    TaskResult result = (TaskResult) payload;
    TaskStorageMetrics moved = result.metrics();
    return new TaskMetrics(
        0,
        result.sizeBytes(),
        moved.shuffleRecordsRead(),
        moved.shuffleBytesRead(),
        moved.shuffleRecordsWritten(),
        moved.shuffleBytesWritten(),
        moved.memorySpilledBytes(),
        moved.diskSpilledBytes(),
        moved.peakMemoryBytes());
  }
}
