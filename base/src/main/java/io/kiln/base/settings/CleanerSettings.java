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

  public static final Setting<Duration> PERIODIC_GC_INTERVAL =
      Setting.of(
          "spark.cleaner.periodicGC.interval",
          SettingType.time(Durations.Unit.SECONDS),
          "30min",
          "How often the driver collects garbage only to find what is no longer referenced.");

  static final SettingGroup GROUP =
      new SettingGroup("Cleaning", List.of(REFERENCE_TRACKING, PERIODIC_GC_INTERVAL));

  private CleanerSettings() {}
}
