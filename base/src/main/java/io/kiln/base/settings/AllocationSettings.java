package io.kiln.base.settings;

import java.time.Duration;
import java.util.List;

/// What happens when executors don't come, or don't stay.
public final class AllocationSettings {
  public static final Setting<Duration> START_TIMEOUT =
      Setting.of(
          "spark.kiln.executor.startTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "60s",
          "How long an executor's process may take until it registers. Then it is stopped, and"
              + " another is started.");

  public static final Setting<Integer> MAX_FAILURES =
      Setting.optional(
          "spark.executor.maxNumFailures",
          SettingType.count(1),
          "How many executors may fail to start, or end through what ran in them, until an"
              + " application that has none left is given up. Executors that were killed or taken"
              + " away don't count, nor do those before one that stayed for a minute. Unset: twice"
              + " the number of executors, at least 3.");

  public static final Setting<Duration> FAILURES_VALIDITY =
      Setting.optional(
          "spark.executor.failuresValidityInterval",
          SettingType.time(Durations.Unit.MILLISECONDS),
          "After how long such a failure no longer counts. Unset: never.");

  public static final Setting<Duration> NO_RESOURCES_TIMEOUT =
      Setting.optional(
          "spark.kiln.scheduler.noResourcesTimeout",
          SettingType.time(Durations.Unit.SECONDS),
          "How long tasks may wait while none runs, for want of executors, until their jobs fail."
              + " Unset: for ever. A warning says why after 15 seconds, and every minute.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Allocation",
          List.of(START_TIMEOUT, MAX_FAILURES, FAILURES_VALIDITY, NO_RESOURCES_TIMEOUT));

  private AllocationSettings() {}
}
