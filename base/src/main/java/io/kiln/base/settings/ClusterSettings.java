package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What executors are started with.
public final class ClusterSettings {
  public static final Setting<Long> MEMORY =
      Setting.optional(
          "spark.executor.memory",
          SettingType.size(ByteSize.Unit.MEBIBYTES),
          "The heap of an executor's JVM. Unset: M MiB with `local-cluster[W,C,M]`, 1 GiB on a"
              + " standalone cluster.");

  public static final Setting<Integer> INSTANCES =
      Setting.optional(
          "spark.executor.instances",
          SettingType.count(0),
          "How many executors the application has, as long as it asks for no other number. Unset:"
              + " as many as it may have.");

  public static final Setting<Integer> CORES =
      Setting.optional(
          "spark.executor.cores",
          SettingType.count(1),
          "How many tasks an executor runs at once. Unset: C with `local-cluster[W,C,M]`; on a"
              + " standalone cluster all cores that the application can have on a worker.");

  public static final Setting<String> JAVA_OPTIONS =
      Setting.optional(
          "spark.executor.extraJavaOptions",
          SettingType.TEXT,
          "More options for the executors' JVMs. Not for the heap, which has a setting of its"
              + " own.");

  public static final Setting<String> CLASS_PATH =
      Setting.optional(
          "spark.executor.extraClassPath",
          SettingType.TEXT,
          "Entries of the executors' class path, before the application's jars; written as on a"
              + " command line.");

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
          "How long executors may take to end with their application before they are killed. A"
              + " profiler may need that time to write what it has recorded.");

  public static final Setting<Long> MAX_DIRECT_RESULT_SIZE =
      Setting.of(
          "spark.task.maxDirectResultSize",
          SettingType.size(ByteSize.Unit.BYTES),
          "1m",
          "The largest result that a task sends with the news of its end. The driver fetches"
              + " larger ones.");

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
              INSTANCES,
              CORES,
              JAVA_OPTIONS,
              CLASS_PATH,
              HEARTBEAT_INTERVAL,
              END_TIMEOUT,
              MAX_DIRECT_RESULT_SIZE,
              TASK_MAX_FAILURES));

  private ClusterSettings() {}
}
