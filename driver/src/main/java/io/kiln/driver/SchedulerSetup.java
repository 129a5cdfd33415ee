package io.kiln.driver;

import io.kiln.base.settings.SchedulerSettings;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.SchedulingMode;

/// Reads the settings of the scheduler's machines that hold wherever tasks run.
final class SchedulerSetup {
  private SchedulerSetup() {}

  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  static SchedulerOptions options(Settings settings) {
    SchedulerOptions options =
        SchedulerOptions.DEFAULT.withMaxStageAttempts(
            settings.get(SchedulerSettings.STAGE_MAX_CONSECUTIVE_ATTEMPTS));
    return settings.get(SchedulerSettings.MODE).equals("FAIR")
        ? options.withMode(SchedulingMode.FAIR, Pools.find(settings, TaskClassLoader.ofProgram()))
        : options;
  }
}
