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
          "How often a warning tells of a killed task that still runs.");

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
          "How long a killed task may go on before its executor's process is ended and another"
              + " executor takes its place. Negative: for ever. In local mode no process is"
              + " ended.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Killed tasks", List.of(ENABLED, POLLING_INTERVAL, THREAD_DUMP, KILL_TIMEOUT));

  private ReaperSettings() {}
}
