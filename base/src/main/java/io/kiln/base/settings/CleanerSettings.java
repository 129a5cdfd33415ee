package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What happens to shuffles, broadcasts and blocks that nobody refers to any more.
public final class CleanerSettings {
  public static final Setting<Boolean> REFERENCE_TRACKING =
      Setting.of(
          "spark.cleaner.referenceTracking",
          SettingType.FLAG,
          "true",
          "Whether what is no longer referenced is removed.");

  public static final Setting<Boolean> BLOCKING =
      Setting.of(
          "spark.cleaner.referenceTracking.blocking",
          SettingType.FLAG,
          "true",
          "Whether the cleaner waits until a removal is done before the next.");

  public static final Setting<Boolean> BLOCKING_SHUFFLE =
      Setting.of(
          "spark.cleaner.referenceTracking.blocking.shuffle",
          SettingType.FLAG,
          "false",
          "The same for shuffles.");

  public static final Setting<Boolean> CLEAN_CHECKPOINTS =
      Setting.of(
          "spark.cleaner.referenceTracking.cleanCheckpoints",
          SettingType.FLAG,
          "false",
          "Whether checkpoint files of RDDs that are no longer referenced are removed.");

  public static final Setting<Duration> PERIODIC_GC_INTERVAL =
      Setting.of(
          "spark.cleaner.periodicGC.interval",
          SettingType.time(Durations.Unit.SECONDS),
          "30min",
          "How often the driver collects garbage only to find what is no longer referenced.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Cleaning",
          List.of(
              REFERENCE_TRACKING,
              BLOCKING,
              BLOCKING_SHUFFLE,
              CLEAN_CHECKPOINTS,
              PERIODIC_GC_INTERVAL));

  private CleanerSettings() {}
}
