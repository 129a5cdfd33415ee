package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.api.spi.LogControl;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/// How much this process logs, where that is the engine's to say.
final class ProcessLog {
  private ProcessLog() {}

  /// @throws KilnException `LOG_LEVEL_UNSUPPORTED` if the logging belongs to somebody else
  static void setLevel(String level) {
    control()
        .orElseThrow(
            () ->
                new KilnException(
                    "LOG_LEVEL_UNSUPPORTED",
                    KilnException.Kind.USER,
                    "the log level can't be set to "
                        + level
                        + ": this process has a logging of its own ("
                        + LoggerFactory.getILoggerFactory().getClass().getName()
                        + "); set the level in its configuration, or add kiln-submit to the class"
                        + " path"))
        .setLevel(level);
  }

  /// What the settings ask for; under another logging they are not about it.
  static void applySetting(String level) {
    control().ifPresent(control -> control.setLevel(level));
  }

  private static Optional<LogControl> control() {
    return ServiceLoader.load(LogControl.class, ProcessLog.class.getClassLoader()).findFirst();
  }
}
