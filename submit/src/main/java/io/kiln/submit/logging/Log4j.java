package io.kiln.submit.logging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.slf4j.MDC;

/// Log4j 2, started by the first call that needs it.
///
/// Any thread may call.
final class Log4j {

  /// Its initialisation is the start, once, whichever thread comes first.
  private static final class Start {
    private static final String SHUTDOWN_HOOK = "log4j.shutdownHookEnabled";
    static final boolean DONE = startUninterrupted();

    /// Reading its configuration fails in a thread that is being interrupted, and that would be for
    /// good.
    private static boolean startUninterrupted() {
      boolean interrupted = Thread.interrupted();
      try {
        return startWithoutHook();
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /// Log4j would register a hook for the end of the JVM, which fails while that ends, and that
    /// would be for good too. Our own configuration has nothing to close.
    private static boolean startWithoutHook() {
      boolean unset = System.getProperty(SHUTDOWN_HOOK) == null;
      if (!unset || (isConfiguredByUser() && !isJvmEnding())) {
        return start();
      }
      System.setProperty(SHUTDOWN_HOOK, "false");
      try {
        return start();
      } finally {
        System.clearProperty(SHUTDOWN_HOOK); // a Log4j of the program's own has its own opinion
      }
    }

    /// Only a refused hook tells.
    private static boolean isJvmEnding() {
      Thread hook = new Thread(() -> {});
      try {
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().removeShutdownHook(hook);
        return false;
      } catch (IllegalStateException e) {
        return true;
      }
    }

    private static boolean start() {
      if (isConfiguredByUser()) {
        String level = System.getProperty(LogLevel.SETTING, "");
        if (LogLevel.isKnown(level)) {
          setRootLevel(level);
        }
      } else {
        try (InputStream console = Log4j.class.getResourceAsStream("console.properties")) {
          Configurator.reconfigure(
              new PropertiesConfigurationFactory()
                  .getConfiguration(null, new ConfigurationSource(console)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return true;
    }
  }

  private Log4j() {}

  /// Whether there is a configuration other than our own.
  static boolean isConfiguredByUser() {
    return System.getProperty("log4j2.configurationFile") != null
        || System.getProperty("log4j.configurationFile") != null;
  }

  static boolean isEnabled(String logger, org.slf4j.event.Level level) {
    return Start.DONE && LogManager.getLogger(logger).isEnabled(level(level));
  }

  static void log(String logger, org.slf4j.event.Level level, String message, Throwable failure) {
    if (!Start.DONE) {
      return;
    }
    Map<String, String> context = MDC.getCopyOfContextMap();
    if (context == null || context.isEmpty()) {
      LogManager.getLogger(logger).log(level(level), message, failure);
      return;
    }
    ThreadContext.putAll(context);
    try {
      LogManager.getLogger(logger).log(level(level), message, failure);
    } finally {
      ThreadContext.removeAll(context.keySet());
    }
  }

  static void setRootLevel(String level) {
    Configurator.setRootLevel(Level.valueOf(level.toUpperCase(Locale.ROOT)));
  }

  private static Level level(org.slf4j.event.Level level) {
    return switch (level) {
      case TRACE -> Level.TRACE;
      case DEBUG -> Level.DEBUG;
      case INFO -> Level.INFO;
      case WARN -> Level.WARN;
      case ERROR -> Level.ERROR;
    };
  }
}
