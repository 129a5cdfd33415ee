package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What executors are started with.
public final class ClusterSettings {
  public static final Setting<Long> MEMORY =
      Setting.optional(
          "spark.executor.memory",
          SettingType.size(ByteSize.Unit.MEBIBYTES),
          "The heap of an executor's JVM. Unset: with `local-cluster[W,C,M]` M MiB.");

  public static final Setting<Integer> CORES =
      Setting.optional(
          "spark.executor.cores",
          SettingType.count(1),
          "How many tasks an executor runs at once. Unset: with `local-cluster[W,C,M]` C.");

  public static final Setting<String> JAVA_OPTIONS =
      Setting.optional(
          "spark.executor.extraJavaOptions",
          SettingType.TEXT,
          "More options of executors' JVMs. The heap has a setting of its own.");

  public static final Setting<String> CLASS_PATH =
      Setting.optional(
          "spark.executor.extraClassPath",
          SettingType.TEXT,
          "What to put in front of the application's class path in executors, as on a command"
              + " line.");

  public static final Setting<Duration> HEARTBEAT_INTERVAL =
      Setting.of(
          "spark.executor.heartbeatInterval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "10s",
          "How often an executor tells the driver that it lives, and listeners hear how far its"
              + " tasks are.");

  public static final Setting<Duration> END_TIMEOUT =
      Setting.of(
          "spark.kiln.executor.endTimeout",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "5s",
          "How long executors may take to end with their application, such as to write what a"
              + " profiler has recorded, before they are killed.");

  public static final Setting<Long> MAX_DIRECT_RESULT_SIZE =
      Setting.of(
          "spark.task.maxDirectResultSize",
          SettingType.size(ByteSize.Unit.BYTES),
          "1m",
          "A larger result of a task is not sent with the news of its end, but fetched by the"
              + " driver.");

  public static final Setting<Integer> TASK_MAX_FAILURES =
      Setting.of(
          "spark.task.maxFailures",
          SettingType.count(1),
          "4",
          "How often one task may fail until its job fails. In local mode it is once, or F in"
              + " `local[N,F]`.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Executors",
          List.of(
              MEMORY,
              CORES,
              JAVA_OPTIONS,
              CLASS_PATH,
              HEARTBEAT_INTERVAL,
              END_TIMEOUT,
              MAX_DIRECT_RESULT_SIZE,
              TASK_MAX_FAILURES));

  private ClusterSettings() {}
}
