package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What the application is, what it starts with and how it talks to people.
public final class ApplicationSettings {
  public static final Setting<String> MASTER =
      Setting.optional(
          "spark.master",
          SettingType.TEXT,
          "Where the application runs: `local`, `local[N]`, `local[*]`, `local[N,F]` (N slots, F"
              + " failures of a task allowed), `local-cluster[W,C,M]` (W processes with C slots"
              + " and M MiB each), or `spark://HOST:PORT[,HOST:PORT...]` (a standalone cluster).");

  public static final Setting<String> APP_NAME =
      Setting.optional("spark.app.name", SettingType.TEXT, "The name shown to people.");

  public static final Setting<String> DEPLOY_MODE =
      Setting.of(
          "spark.submit.deployMode",
          SettingType.choice("client", "cluster"),
          "client",
          "Where the driver runs: in `spark-submit`'s own process (`client`), or on the cluster"
              + " (`cluster`). Only a standalone cluster has a cluster mode.");

  public static final Setting<Long> DRIVER_MEMORY =
      Setting.of(
          "spark.driver.memory",
          SettingType.size(ByteSize.Unit.MEBIBYTES),
          "1g",
          "The heap of the driver's JVM. Read when the JVM starts: set it on the command line or in"
              + " `conf/spark-defaults.conf`.");

  public static final Setting<String> DRIVER_JAVA_OPTIONS =
      Setting.optional(
          "spark.driver.extraJavaOptions",
          SettingType.TEXT,
          "More options for the driver's JVM. Read when the JVM starts.");

  public static final Setting<String> DRIVER_CLASS_PATH =
      Setting.optional(
          "spark.driver.extraClassPath",
          SettingType.TEXT,
          "Entries of the driver's class path, before the application's jars. Read when the JVM"
              + " starts.");

  public static final Setting<String> DRIVER_LIBRARY_PATH =
      Setting.optional(
          "spark.driver.extraLibraryPath",
          SettingType.TEXT,
          "Directories of native libraries for the driver's JVM. Read when the JVM starts.");

  public static final Setting<Long> MAX_RESULT_SIZE =
      Setting.of(
          "spark.driver.maxResultSize",
          SettingType.size(ByteSize.Unit.BYTES),
          "1g",
          "How many bytes of serialised results one job may bring to the driver; a job that brings"
              + " more fails. `0`: no limit.");

  public static final Setting<Integer> DEFAULT_PARALLELISM =
      Setting.optional(
          "spark.default.parallelism",
          SettingType.count(1),
          "How many partitions `parallelize` and shuffles make when the call does not say. Unset:"
              + " the number of slots for `parallelize`, the largest parent for shuffles.");

  public static final Setting<List<String>> LOCAL_DIRECTORIES =
      Setting.optional(
          "spark.local.dir",
          SettingType.LIST,
          "Directories for shuffle files, spilled data and blocks on disk. Unset: the environment's"
              + " `SPARK_LOCAL_DIRS`, or else the JVM's temporary directory.");

  public static final Setting<String> LOG_LEVEL =
      Setting.optional(
          "spark.log.level",
          SettingType.choice("ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"),
          "The level of the log. Unset: what `conf/log4j2.properties` says.");

  public static final Setting<String> REDACTION_REGEX =
      Setting.of(
          "spark.redaction.regex",
          SettingType.TEXT,
          "(?i)secret|password|token|access[.]?key",
          "Settings in whose key or value this pattern is found are not shown by `--verbose`.");

  public static final Setting<List<String>> EXTRA_LISTENERS =
      Setting.of(
          "spark.extraListeners",
          SettingType.LIST,
          "",
          "Classes that implement `KilnListener`, made when the context starts, by a constructor"
              + " that takes a `KilnConf` or nothing.");

  public static final Setting<Integer> LISTENER_QUEUE_CAPACITY =
      Setting.of(
          "spark.scheduler.listenerbus.eventqueue.capacity",
          SettingType.count(1),
          "10000",
          "How many events may wait for slow listeners; more are dropped, with a warning.");

  public static final Setting<Boolean> SHOW_CONSOLE_PROGRESS =
      Setting.of(
          "spark.ui.showConsoleProgress",
          SettingType.FLAG,
          "true",
          "A progress bar on standard error while a stage runs longer than half a second. Only ever"
              + " shown on a terminal.");

  public static final Setting<Duration> CONSOLE_PROGRESS_INTERVAL =
      Setting.of(
          "spark.ui.consoleProgress.update.interval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "200ms",
          "How often the progress bar changes.");

  public static final Setting<Boolean> EXIT_WITH_MAIN =
      Setting.of(
          "spark.submit.callSystemExitOnMainExit",
          SettingType.FLAG,
          "false",
          "Whether the process ends when the main method returns, whatever its threads and jobs"
              + " still do; else they are waited for.");

  public static final Setting<Integer> RETAINED_JOBS =
      Setting.of(
          "spark.ui.retainedJobs",
          SettingType.count(1),
          "1000",
          "How many ended jobs the status tracker remembers.");

  public static final Setting<Integer> RETAINED_STAGES =
      Setting.of(
          "spark.ui.retainedStages",
          SettingType.count(1),
          "1000",
          "How many ended stages the status tracker remembers.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Application",
          List.of(
              MASTER,
              APP_NAME,
              DEPLOY_MODE,
              DRIVER_MEMORY,
              DRIVER_JAVA_OPTIONS,
              DRIVER_CLASS_PATH,
              DRIVER_LIBRARY_PATH,
              MAX_RESULT_SIZE,
              DEFAULT_PARALLELISM,
              LOCAL_DIRECTORIES,
              LOG_LEVEL,
              REDACTION_REGEX,
              EXTRA_LISTENERS,
              LISTENER_QUEUE_CAPACITY,
              SHOW_CONSOLE_PROGRESS,
              CONSOLE_PROGRESS_INTERVAL,
              EXIT_WITH_MAIN,
              RETAINED_JOBS,
              RETAINED_STAGES));

  private ApplicationSettings() {}
}
