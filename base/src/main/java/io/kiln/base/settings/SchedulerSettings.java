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

  public static final Setting<Integer> CANCELLED_GROUPS_TRACKED =
      Setting.of(
          "spark.scheduler.numCancelledJobGroupsToTrack",
          SettingType.count(1),
          "1000",
          "How many job groups cancelled for the future are remembered.");

  public static final Setting<Duration> LOCALITY_WAIT =
      Setting.of(
          "spark.locality.wait",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "3s",
          "How long a task waits for a slot near its data before it takes one farther away.");

  public static final Setting<Duration> LOCALITY_WAIT_PROCESS =
      Setting.following(
          "spark.locality.wait.process",
          LOCALITY_WAIT,
          "The same for the executor that has the data in memory.");

  public static final Setting<Duration> LOCALITY_WAIT_NODE =
      Setting.following(
          "spark.locality.wait.node", LOCALITY_WAIT, "The same for the host that has the data.");

  public static final Setting<Duration> LOCALITY_WAIT_RACK =
      Setting.following(
          "spark.locality.wait.rack", LOCALITY_WAIT, "The same for the rack that has the data.");

  public static final Setting<Integer> TASK_CPUS =
      Setting.of("spark.task.cpus", SettingType.count(1), "1", "How many slots a task takes.");

  public static final Setting<Integer> TASK_MAX_FAILURES =
      Setting.of(
          "spark.task.maxFailures",
          SettingType.count(1),
          "4",
          "How often one task may fail before its job fails. In local mode the master URL says:"
              + " `local[N,F]`, 1 without F.");

  public static final Setting<Integer> STAGE_MAX_CONSECUTIVE_ATTEMPTS =
      Setting.of(
          "spark.stage.maxConsecutiveAttempts",
          SettingType.count(1),
          "4",
          "How often in a row a stage may be started again because its input was lost.");

  public static final Setting<Integer> STAGE_MAX_ATTEMPTS =
      Setting.of(
          "spark.stage.maxAttempts",
          SettingType.count(1),
          "2147483647",
          "How often a stage may be started again in all.");

  public static final Setting<Boolean> TASK_REAPER =
      Setting.of(
          "spark.task.reaper.enabled",
          SettingType.FLAG,
          "false",
          "Whether cancelled tasks are watched until they have really ended.");

  public static final Setting<Duration> TASK_REAPER_INTERVAL =
      Setting.of(
          "spark.task.reaper.pollingInterval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "10s",
          "How often a cancelled task is looked at.");

  public static final Setting<Boolean> TASK_REAPER_THREAD_DUMP =
      Setting.of(
          "spark.task.reaper.threadDump",
          SettingType.FLAG,
          "true",
          "Whether the stack of a cancelled task that goes on is logged.");

  public static final Setting<Duration> TASK_REAPER_KILL_TIMEOUT =
      Setting.of(
          "spark.task.reaper.killTimeout",
          SettingType.timeOrNever(Durations.Unit.MILLISECONDS),
          "-1ms",
          "After how long a cancelled task that goes on ends the executor's process.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Scheduling",
          List.of(
              MODE,
              ALLOCATION_FILE,
              CANCELLED_GROUPS_TRACKED,
              LOCALITY_WAIT,
              LOCALITY_WAIT_PROCESS,
              LOCALITY_WAIT_NODE,
              LOCALITY_WAIT_RACK,
              TASK_CPUS,
              TASK_MAX_FAILURES,
              STAGE_MAX_CONSECUTIVE_ATTEMPTS,
              STAGE_MAX_ATTEMPTS,
              TASK_REAPER,
              TASK_REAPER_INTERVAL,
              TASK_REAPER_THREAD_DUMP,
              TASK_REAPER_KILL_TIMEOUT));

  private SchedulerSettings() {}
}
