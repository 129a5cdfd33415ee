package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What is done about killed tasks that don't stop.
public final class ReaperSettings {
  public static final Setting<Boolean> ENABLED =
      Setting.of(
          "spark.task.reaper.enabled",
          SettingType.FLAG,
          "true",
          "Whether killed tasks are watched until they have stopped.");

  public static final Setting<Duration> POLLING_INTERVAL =
      Setting.of(
          "spark.task.reaper.pollingInterval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "10s",
          "How often a killed task that still runs is warned of.");

  public static final Setting<Boolean> THREAD_DUMP =
      Setting.of(
          "spark.task.reaper.threadDump",
          SettingType.FLAG,
          "true",
          "Whether the warning shows what the task is doing.");

  public static final Setting<Duration> KILL_TIMEOUT =
      Setting.of(
          "spark.task.reaper.killTimeout",
          SettingType.timeOrNever(Durations.Unit.MILLISECONDS),
          "-1ms",
          "How long after its kill a task that still runs makes its executor's process end, for"
              + " another to take its place. Negative: never. In local mode never.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Killed tasks", List.of(ENABLED, POLLING_INTERVAL, THREAD_DUMP, KILL_TIMEOUT));

  private ReaperSettings() {}
}
