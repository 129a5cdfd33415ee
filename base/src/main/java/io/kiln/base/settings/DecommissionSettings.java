package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How executors and workers go that are about to be taken away.
public final class DecommissionSettings {
  public static final Setting<Boolean> ENABLED =
      Setting.of(
          "spark.decommission.enabled",
          SettingType.FLAG,
          "false",
          "Of an application: whether an executor that is about to be taken away gets no more"
              + " tasks, moves what it has to others (spark.storage.decommission.enabled), and"
              + " ends. Of a standalone worker: whether a signal makes it take nothing more, and"
              + " end once its executors have.");

  public static final Setting<String> WORKER_SIGNAL =
      Setting.of(
          "spark.worker.decommission.signal",
          SettingType.TEXT,
          "PWR",
          "The signal that tells a worker to go.");

  public static final Setting<String> EXECUTOR_SIGNAL =
      Setting.of(
          "spark.executor.decommission.signal",
          SettingType.TEXT,
          "PWR",
          "The signal that tells an executor to go.");

  public static final Setting<Duration> FORCE_KILL_TIMEOUT =
      Setting.optional(
          "spark.executor.decommission.forceKillTimeout",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "How long an executor that is to go may take before it is ended with all that it still"
              + " has. Unset: as long as it needs.");

  public static final Setting<Boolean> STORAGE =
      Setting.of(
          "spark.storage.decommission.enabled",
          SettingType.FLAG,
          "false",
          "Whether an executor that is to go moves its blocks and map outputs to others.");

  public static final Setting<Boolean> RDD_BLOCKS =
      Setting.of(
          "spark.storage.decommission.rddBlocks.enabled",
          SettingType.FLAG,
          "true",
          "Whether it moves partitions of persisted RDDs.");

  public static final Setting<Boolean> SHUFFLE_BLOCKS =
      Setting.of(
          "spark.storage.decommission.shuffleBlocks.enabled",
          SettingType.FLAG,
          "true",
          "Whether it moves map outputs.");

  public static final Setting<Integer> MAX_FAILURES =
      Setting.of(
          "spark.storage.decommission.maxReplicationFailuresPerBlock",
          SettingType.count(1),
          "3",
          "How many other executors may decline a block, and how often it is tried again once no"
              + " task runs any more, until it is given up.");

  public static final Setting<Duration> INTERVAL =
      Setting.of(
          "spark.storage.decommission.replicationReattemptInterval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "30s",
          "After how long what could not be moved is tried again, unless another executor has"
              + " come.");

  public static final Setting<Integer> SHUFFLE_THREADS =
      Setting.of(
          "spark.storage.decommission.shuffleBlocks.maxThreads",
          SettingType.count(1),
          "8",
          "How many map outputs are moved at a time.");

  public static final Setting<Long> SHUFFLE_DISK =
      Setting.optional(
          "spark.storage.decommission.shuffleBlocks.maxDiskSize",
          SettingType.size(ByteSize.Unit.BYTES),
          "How much map outputs may take on an executor's disk. It takes none from others that"
              + " would make it more. Unset: all that is free.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Decommissioning",
          List.of(
              ENABLED,
              WORKER_SIGNAL,
              EXECUTOR_SIGNAL,
              FORCE_KILL_TIMEOUT,
              STORAGE,
              RDD_BLOCKS,
              SHUFFLE_BLOCKS,
              MAX_FAILURES,
              INTERVAL,
              SHUFFLE_THREADS,
              SHUFFLE_DISK));

  private DecommissionSettings() {}
}
