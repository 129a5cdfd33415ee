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
/// Any thread may call, and may be interrupted at any time. Log4j waits and reads while its classes
/// are initialised; a class whose initialisation is interrupted is broken for good. So it starts on
/// a thread of its own, which nobody else knows.
final class Log4j {
  private enum State {
    NEW,
    STARTED,
    FAILED
  }

  private static volatile State state = State.NEW;
  private static volatile Thread starting;

  private Log4j() {}

  /// @return whether events can be given to it
  private static boolean isStarted() {
    if (state == State.NEW && Thread.currentThread() != starting) {
      startOnce();
    }
    return state == State.STARTED;
  }

  private static synchronized void startOnce() {
    if (state == State.NEW) {
      Thread thread = Thread.ofPlatform().daemon().name("kiln-log-start").unstarted(Start::run);
      starting = thread;
      thread.start();
      awaitEnd(thread);
    }
  }

  private static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // the caller hears of it afterwards
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Apart from the rest: to load this loads Log4j's classes.
  private static final class Start {
    private static final String SHUTDOWN_HOOK = "log4j.shutdownHookEnabled";

    private static void run() {
      State end = State.FAILED;
      try {
        configureWithoutHook();
        end = State.STARTED;
      } catch (RuntimeException | LinkageError e) {
        System.err.println("Warning: logging could not be started, so events are printed: " + e);
      } finally {
        state = end;
      }
    }

    /// Log4j would register a hook for the end of the JVM, which fails while that ends. Our own
    /// configuration has nothing to close.
    private static void configureWithoutHook() {
      boolean isSet = System.getProperty(SHUTDOWN_HOOK) != null;
      if (isSet || (isConfiguredByUser() && !isJvmEnding())) {
        configure();
        return;
      }
      System.setProperty(SHUTDOWN_HOOK, "false");
      try {
        configure();
      } finally {
        System.clearProperty(SHUTDOWN_HOOK); // a Log4j of the program's own has its own opinion
      }
    }

    /// Only a refused hook tells.
    private static boolean isJvmEnding() {
      Thread probe = new Thread(() -> {});
      try {
        Runtime.getRuntime().addShutdownHook(probe);
        return !Runtime.getRuntime().removeShutdownHook(probe);
      } catch (IllegalStateException e) {
        return true;
      }
    }

    private static void configure() {
      if (isConfiguredByUser()) {
        String level = System.getProperty(LogLevel.SETTING, "");
        if (LogLevel.isKnown(level)) {
          setRootLevel(level);
        }
        return;
      }
      try (InputStream console = Log4j.class.getResourceAsStream("console.properties")) {
        Configurator.reconfigure(
            new PropertiesConfigurationFactory()
                .getConfiguration(null, new ConfigurationSource(console)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Whether there is a configuration other than our own.
  static boolean isConfiguredByUser() {
    return System.getProperty("log4j2.configurationFile") != null
        || System.getProperty("log4j.configurationFile") != null;
  }

  static boolean isEnabled(String logger, org.slf4j.event.Level level) {
    return isStarted()
        ? LogManager.getLogger(logger).isEnabled(level(level))
        : state == State.FAILED && LogLevel.passes(level);
  }

  static void log(String logger, org.slf4j.event.Level level, String message, Throwable failure) {
    if (!isStarted()) {
      print(logger, level, message, failure);
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

  /// Without Log4j, or from its start.
  private static void print(
      String logger, org.slf4j.event.Level level, String message, Throwable failure) {
    System.err.println(level + " " + logger + ": " + message);
    if (failure != null) {
      failure.printStackTrace();
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
