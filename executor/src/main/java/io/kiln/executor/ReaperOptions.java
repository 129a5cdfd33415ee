package io.kiln.executor;

import io.kiln.base.settings.ReaperSettings;
import io.kiln.base.settings.Settings;
import java.time.Duration;
import java.util.Optional;

/// What is done about killed tasks that don't stop.
///
/// @param pollingInterval how often such a task is warned of
/// @param showsStack whether the warning shows what the task is doing
/// @param killTimeout how long after its kill the process ends; empty: never
public record ReaperOptions(
    boolean enabled, Duration pollingInterval, boolean showsStack, Optional<Duration> killTimeout) {

  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  public static ReaperOptions of(Settings settings) {
    Duration timeout = settings.get(ReaperSettings.KILL_TIMEOUT);
    return new ReaperOptions(
        settings.get(ReaperSettings.ENABLED),
        settings.get(ReaperSettings.POLLING_INTERVAL),
        settings.get(ReaperSettings.THREAD_DUMP),
        timeout.isNegative() ? Optional.empty() : Optional.of(timeout));
  }

  /// For a process that is not the executor's alone.
  public ReaperOptions withoutEnd() {
    return new ReaperOptions(enabled, pollingInterval, showsStack, Optional.empty());
  }
}
