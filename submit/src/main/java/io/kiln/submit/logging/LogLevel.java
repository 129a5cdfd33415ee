package io.kiln.submit.logging;

import java.util.Locale;
import org.slf4j.event.Level;

/// From which level on events are logged; one for the whole process.
public final class LogLevel {

  /// The setting that gives the level at the start.
  public static final String SETTING = "spark.log.level";

  private static final int OFF = Integer.MAX_VALUE;

  private static volatile int threshold = Level.WARN.toInt();
  private static boolean setByProgram; // guarded by the class

  private LogLevel() {}

  /// Whether [#set] takes it: the levels of Log4j, in any case.
  public static boolean isKnown(String level) {
    return toInt(level) >= 0;
  }

  /// Changes the level for all loggers from now on.
  ///
  /// @throws IllegalArgumentException if it isn't known
  public static synchronized void set(String level) {
    int value = toInt(level);
    if (value < 0) {
      throw new IllegalArgumentException("no log level: " + level);
    }
    setByProgram = true;
    threshold = value;
    if (Log4j.isConfiguredByUser()) {
      Log4j.setRootLevel(level);
    }
  }

  /// To be called when the first logger is made, which may be after [#set]: then that counts.
  static synchronized void readSetting() {
    String level = System.getProperty(SETTING, "");
    if (!setByProgram && !level.isEmpty() && isKnown(level)) {
      threshold = toInt(level);
    }
  }

  static boolean passes(Level level) {
    return level.toInt() >= threshold;
  }

  private static int toInt(String level) {
    return switch (level.toUpperCase(Locale.ROOT)) {
      case "ALL", "TRACE" -> Level.TRACE.toInt();
      case "DEBUG" -> Level.DEBUG.toInt();
      case "INFO" -> Level.INFO.toInt();
      case "WARN" -> Level.WARN.toInt();
      case "ERROR", "FATAL" -> Level.ERROR.toInt();
      case "OFF" -> OFF;
      default -> -1;
    };
  }
}
