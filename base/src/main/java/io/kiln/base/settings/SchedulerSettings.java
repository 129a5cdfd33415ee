package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// How jobs become tasks and tasks get slots.
public final class SchedulerSettings {
  public static final Setting<String> MODE =
      Setting.of(
          "spark.scheduler.mode",
          SettingType.choice("FIFO", "FAIR"),
          "FIFO",
          "Whether jobs go first come, first served, or share the slots by pools.");

  public static final Setting<String> ALLOCATION_FILE =
      Setting.optional(
          "spark.scheduler.allocation.file",
          SettingType.TEXT,
          "The file of pools for `FAIR`. Unset: `fairscheduler.xml` on the class path, if it is"
              + " there.");

  public static final Setting<Integer> STAGE_MAX_CONSECUTIVE_ATTEMPTS =
      Setting.of(
          "spark.stage.maxConsecutiveAttempts",
          SettingType.count(1),
          "4",
          "How often in a row a stage may be started again because its input was lost.");

  public static final Setting<Double> MIN_REGISTERED_RATIO =
      Setting.of(
          "spark.scheduler.minRegisteredResourcesRatio",
          SettingType.fraction(0, 1),
          "0",
          "The part of its cores that must have come before a program on a cluster begins: of"
              + " `spark.cores.max`, or of what the master has given.");

  public static final Setting<Duration> MAX_REGISTERED_WAIT =
      Setting.of(
          "spark.scheduler.maxRegisteredResourcesWaitingTime",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "30s",
          "How long the program waits for them. Then it begins with those that are there.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Scheduling",
          List.of(
              MODE,
              ALLOCATION_FILE,
              STAGE_MAX_CONSECUTIVE_ATTEMPTS,
              MIN_REGISTERED_RATIO,
              MAX_REGISTERED_WAIT));

  private SchedulerSettings() {}
}
