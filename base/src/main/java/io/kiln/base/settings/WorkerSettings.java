package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How a worker of a standalone cluster finds its master and clears up.
public final class WorkerSettings {
  public static final Setting<Integer> INITIAL_REGISTRATION_RETRIES =
      Setting.of(
          "spark.worker.initialRegistrationRetries",
          SettingType.count(0),
          "6",
          "How often a worker without a master asks all masters at short intervals, of 5 to 15"
              + " seconds. Right after it has lost its master it asks more often.");

  public static final Setting<Integer> MAX_REGISTRATION_RETRIES =
      Setting.of(
          "spark.worker.maxRegistrationRetries",
          SettingType.count(0),
          "16",
          "How often a worker without a master asks altogether until it gives up and ends. Later"
              + " it asks at intervals of 30 to 90 seconds.");

  public static final Setting<Boolean> CLEANUP_ENABLED =
      Setting.of(
          "spark.worker.cleanup.enabled",
          SettingType.FLAG,
          "true",
          "Whether a worker removes the directories of applications that are over.");

  public static final Setting<Duration> CLEANUP_INTERVAL =
      Setting.of(
          "spark.worker.cleanup.interval",
          SettingType.time(Durations.Unit.SECONDS),
          "1800",
          "How often a worker looks for old directories.");

  public static final Setting<Duration> CLEANUP_AGE =
      Setting.of(
          "spark.worker.cleanup.appDataTtl",
          SettingType.time(Durations.Unit.SECONDS),
          "604800",
          "How old the logs and jars of applications and drivers get at least before a worker"
              + " removes them.");

  public static final Setting<Integer> WEB_PORT =
      Setting.optional(
          "spark.worker.ui.port",
          SettingType.count(0, 65_535),
          "The port of a worker's web server, if neither --webui-port nor SPARK_WORKER_WEBUI_PORT"
              + " says which; if it is taken, the next ones are tried. Unset: 8081.");

  public static final Setting<Integer> RETAINED_EXECUTORS =
      Setting.of(
          "spark.worker.ui.retainedExecutors",
          SettingType.count(1),
          "1000",
          "How many executors that ended a worker shows.");

  public static final Setting<String> ENVIRONMENT =
      Setting.optional(
          "spark.kiln.worker.environment",
          SettingType.TEXT,
          "Variables of a worker's environment that the processes get which it starts, with"
              + " commas between their names. They get `PATH`, `HOME`, `LANG`, `TZ` and the like"
              + " anyway, and nothing else of it.");

  public static final Setting<Long> MIN_FREE_SPACE =
      Setting.of(
          "spark.kiln.worker.minFreeSpace",
          SettingType.size(ByteSize.Unit.BYTES),
          "64m",
          "How much room the file systems of a worker's work directory and scratch directory must"
              + " have. While one has less, the worker is given nothing more.");

  public static final Setting<Boolean> RUN_AS_SUBMITTER =
      Setting.of(
          "spark.kiln.worker.runAsSubmitter",
          SettingType.FLAG,
          "false",
          "Whether a worker that runs as root starts each driver and executor as the user who"
              + " submitted the application. The worker's host has to know that user, who has to"
              + " be another than root.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Standalone worker",
          List.of(
              INITIAL_REGISTRATION_RETRIES,
              MAX_REGISTRATION_RETRIES,
              CLEANUP_ENABLED,
              CLEANUP_INTERVAL,
              CLEANUP_AGE,
              WEB_PORT,
              RETAINED_EXECUTORS,
              ENVIRONMENT,
              MIN_FREE_SPACE,
              RUN_AS_SUBMITTER));

  private WorkerSettings() {}
}
