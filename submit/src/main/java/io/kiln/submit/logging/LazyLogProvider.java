package io.kiln.submit.logging;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.Reporter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// SLF4J's way to Log4j 2, which starts Log4j only when an event passes the level. Starting it
/// takes longer than many a job, and most jobs log nothing.
///
/// A Log4j configuration of the user's decides by itself what is enabled, so then Log4j starts with
/// the first question.
public final class LazyLogProvider implements SLF4JServiceProvider, ILoggerFactory {

  private final ConcurrentMap<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new BasicMDCAdapter();

  /// For `ServiceLoader`.
  public LazyLogProvider() {}

  /// Makes this the provider of the process, unless the user's options name another. SLF4J would
  /// find it by itself, but opens every jar of the class path to see whether there are more: a
  /// tenth of a short program's start.
  public static void choose() {
    if (System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY) != null) {
      return;
    }
    String verbosity = System.getProperty(Reporter.SLF4J_INTERNAL_VERBOSITY_KEY);
    System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, LazyLogProvider.class.getName());
    if (verbosity == null) {
      // It would say that it was told.
      System.setProperty(Reporter.SLF4J_INTERNAL_VERBOSITY_KEY, "WARN");
    }
    LoggerFactory.getILoggerFactory();
    // An SLF4J of the program's own does not see this class, and would say so.
    System.clearProperty(LoggerFactory.PROVIDER_PROPERTY_KEY);
    if (verbosity == null) {
      System.clearProperty(Reporter.SLF4J_INTERNAL_VERBOSITY_KEY);
    }
  }

  @Override
  public Logger getLogger(String name) {
    return loggers.computeIfAbsent(name, LazyLogger::new);
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return this;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    LogLevel.readSetting();
  }
}
