package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.base.settings.LogRollingSettings;
import io.kiln.base.settings.Settings;
import java.time.Duration;
import java.util.Optional;

/// When files of what processes print are put aside, and what becomes of them.
///
/// @param when a file is put aside
/// @param maxRetained of them stay; 0 for all
/// @param compressed whether they are compressed
record LogRolling(When when, int maxRetained, boolean compressed) {

  /// When a file is put aside.
  sealed interface When {}

  /// Before it would be larger.
  record BySize(long maxBytes) implements When {}

  /// At multiples of this time, from midnight on.
  record ByTime(Duration interval) implements When {}

  /// @return empty if files are never put aside
  /// @throws KilnException `SETTING_INVALID`
  static Optional<LogRolling> of(Settings settings) {
    Optional<When> when =
        switch (settings.get(LogRollingSettings.STRATEGY)) {
          case "size" -> Optional.of(new BySize(settings.get(LogRollingSettings.MAX_SIZE)));
          case "time" ->
              Optional.of(new ByTime(interval(settings.get(LogRollingSettings.INTERVAL))));
          default -> Optional.empty();
        };
    return when.map(
        some ->
            new LogRolling(
                some,
                Math.max(0, settings.get(LogRollingSettings.MAX_RETAINED_FILES)),
                settings.get(LogRollingSettings.COMPRESSION)));
  }

  private static Duration interval(String text) {
    switch (text) {
      case "daily" -> {
        return Duration.ofDays(1);
      }
      case "hourly" -> {
        return Duration.ofHours(1);
      }
      case "minutely" -> {
        return Duration.ofMinutes(1);
      }
      default -> {
        try {
          long seconds = Long.parseLong(text);
          if (seconds > 0 && seconds <= Integer.MAX_VALUE) {
            return Duration.ofSeconds(seconds);
          }
        } catch (NumberFormatException e) {
          // said below
        }
      }
    }
    throw new KilnException(
        "SETTING_INVALID",
        KilnException.Kind.USER,
        LogRollingSettings.INTERVAL.key()
            + "="
            + text
            + " can't be used: expected daily, hourly, minutely, or a number of seconds");
  }
}
