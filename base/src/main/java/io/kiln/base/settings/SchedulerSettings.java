package io.kiln.base.settings;

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

  static final SettingGroup GROUP =
      new SettingGroup(
          "Scheduling", List.of(MODE, ALLOCATION_FILE, STAGE_MAX_CONSECUTIVE_ATTEMPTS));

  private SchedulerSettings() {}
}
