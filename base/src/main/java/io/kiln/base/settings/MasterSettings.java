package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How the master of a standalone cluster gives away what its workers have.
public final class MasterSettings {
  public static final Setting<Duration> WORKER_TIMEOUT =
      Setting.of(
          "spark.worker.timeout",
          SettingType.time(Durations.Unit.SECONDS),
          "60",
          "After how long of silence a worker is lost. Workers say something four times in that"
              + " time.");

  public static final Setting<Duration> APPLICATION_TIMEOUT =
      Setting.of(
          "spark.kiln.deploy.applicationTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "60",
          "How long a standalone master and the driver of an application wait for a word of each"
              + " other. Each says something four times in that time, so both should have the"
              + " same.");

  public static final Setting<Duration> LINK_GRACE =
      Setting.of(
          "spark.kiln.deploy.linkGrace",
          SettingType.time(Durations.Unit.SECONDS),
          "5s",
          "How long a worker or an application whose connection was closed may take to come back"
              + " before it is lost.");

  public static final Setting<Duration> RECOVERY_TIMEOUT =
      Setting.optional(
          "spark.deploy.recoveryTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "How long a master that takes over waits for the workers and applications of the one"
              + " before. It goes on as soon as all of them have come. Unset:"
              + " `spark.worker.timeout`.");

  public static final Setting<Boolean> SPREAD_OUT_APPLICATIONS =
      Setting.of(
          "spark.deploy.spreadOutApps",
          SettingType.FLAG,
          "true",
          "Whether the executors of an application go to as many workers as can be, rather than to"
              + " as few.");

  public static final Setting<Boolean> SPREAD_OUT_DRIVERS =
      Setting.of(
          "spark.deploy.spreadOutDrivers",
          SettingType.FLAG,
          "true",
          "Whether each driver goes to the next worker in turn, rather than to the first that has"
              + " room.");

  public static final Setting<String> WORKER_SELECTION =
      Setting.of(
          "spark.deploy.workerSelectionPolicy",
          SettingType.choice(
              "CORES_FREE_DESC",
              "CORES_FREE_ASC",
              "MEMORY_FREE_DESC",
              "MEMORY_FREE_ASC",
              "WORKER_ID"),
          "CORES_FREE_DESC",
          "Which workers are given executors first.");

  public static final Setting<Integer> DEFAULT_CORES =
      Setting.of(
          "spark.deploy.defaultCores",
          SettingType.count(1),
          "2147483647",
          "How many cores an application may have that does not set spark.cores.max.");

  public static final Setting<Integer> MAX_EXECUTOR_RETRIES =
      Setting.of(
          "spark.deploy.maxExecutorRetries",
          SettingType.count(-1),
          "10",
          "How many executors of an application may fail in a row, while none runs, until it is"
              + " removed. An executor that stays for a minute ends the row. -1: any number.");

  public static final Setting<Integer> MAX_DRIVERS =
      Setting.of(
          "spark.deploy.maxDrivers",
          SettingType.count(1),
          "2147483647",
          "How many drivers the cluster runs at once.");

  public static final Setting<Integer> MAX_WAITING_DRIVERS =
      Setting.of(
          "spark.kiln.deploy.maxWaitingDrivers",
          SettingType.count(1),
          "10000",
          "How many drivers may wait for a worker; the master takes no more until some of them"
              + " run.");

  public static final Setting<List<String>> POOLS =
      Setting.of(
          "spark.kiln.deploy.pools",
          SettingType.LIST,
          "",
          "Pools of applications and their weights, as in `batch:1,interactive:3`. Pools that want"
              + " executors at the same time share the cluster by their weights; one that is not"
              + " listed has weight 1. See spark.kiln.deploy.pool.");

  public static final Setting<Double> KEPT_FROM_DRIVERS =
      Setting.of(
          "spark.kiln.deploy.keptFromDrivers",
          SettingType.fraction(0, 1),
          "0",
          "The part of the cluster's cores, and of its memory, that drivers may not take, so that"
              + " there is room left for their executors.");

  public static final Setting<Integer> RETAINED_APPLICATIONS =
      Setting.of(
          "spark.deploy.retainedApplications",
          SettingType.count(0),
          "200",
          "How many applications that are over the master remembers.");

  public static final Setting<Integer> RETAINED_DRIVERS =
      Setting.of(
          "spark.deploy.retainedDrivers",
          SettingType.count(0),
          "200",
          "How many drivers that are over the master remembers.");

  public static final Setting<Integer> DEAD_WORKER_PERSISTENCE =
      Setting.of(
          "spark.dead.worker.persistence",
          SettingType.count(0),
          "15",
          "How long a lost worker is still shown, in multiples of `spark.worker.timeout`.");

  public static final Setting<String> APPLICATION_ID_PATTERN =
      Setting.of(
          "spark.deploy.appIdPattern",
          SettingType.TEXT,
          "app-%s-%04d",
          "The ids of applications: a pattern for the time, as text, and a number.");

  public static final Setting<Integer> APPLICATION_NUMBER_MODULO =
      Setting.optional(
          "spark.deploy.appNumberModulo",
          SettingType.count(1),
          "After how many applications the number in their ids starts again. Unset: never.");

  public static final Setting<String> DRIVER_ID_PATTERN =
      Setting.of(
          "spark.deploy.driverIdPattern",
          SettingType.TEXT,
          "driver-%s-%04d",
          "The ids of drivers: a pattern for the time, as text, and a number.");

  public static final Setting<String> POOL =
      Setting.of(
          "spark.kiln.deploy.pool",
          SettingType.TEXT,
          "default",
          "The pool of an application in a standalone cluster; see spark.kiln.deploy.pools.");

  public static final Setting<Integer> PRIORITY =
      Setting.of(
          "spark.kiln.deploy.priority",
          SettingType.count(Integer.MIN_VALUE),
          "0",
          "Of the applications of one pool, those with the higher priority get executors first;"
              + " with the same, those that came first.");

  public static final Setting<Integer> WEB_PORT =
      Setting.optional(
          "spark.master.ui.port",
          SettingType.count(0, 65_535),
          "The port of a master's web server, if neither --webui-port nor SPARK_MASTER_WEBUI_PORT"
              + " says which; if it is taken, the next ones are tried. Unset: 8080.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Standalone cluster",
          List.of(
              WORKER_TIMEOUT,
              APPLICATION_TIMEOUT,
              LINK_GRACE,
              RECOVERY_TIMEOUT,
              SPREAD_OUT_APPLICATIONS,
              SPREAD_OUT_DRIVERS,
              WORKER_SELECTION,
              DEFAULT_CORES,
              MAX_EXECUTOR_RETRIES,
              MAX_DRIVERS,
              MAX_WAITING_DRIVERS,
              POOLS,
              KEPT_FROM_DRIVERS,
              RETAINED_APPLICATIONS,
              RETAINED_DRIVERS,
              DEAD_WORKER_PERSISTENCE,
              APPLICATION_ID_PATTERN,
              APPLICATION_NUMBER_MODULO,
              DRIVER_ID_PATTERN,
              WEB_PORT,
              POOL,
              PRIORITY));

  private MasterSettings() {}
}
