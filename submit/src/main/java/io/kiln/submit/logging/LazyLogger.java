package io.kiln.submit.logging;

import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/// A logger that costs a comparison until an event passes.
final class LazyLogger extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1;
  private static final boolean USER_CONFIGURES = Log4j.isConfiguredByUser();

  LazyLogger(String name) {
    this.name = name;
  }

  private boolean isEnabled(Level level) {
    return USER_CONFIGURES ? Log4j.isEnabled(name, level) : LogLevel.passes(level);
  }

  @Override
  public boolean isTraceEnabled() {
    return isEnabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return isEnabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return isEnabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return isEnabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return isEnabled(Level.ERROR);
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return LazyLogger.class.getName();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level, Marker marker, String pattern, Object[] arguments, Throwable failure) {
    String message =
        arguments == null ? pattern : MessageFormatter.basicArrayFormat(pattern, arguments);
    Log4j.log(name, level, message, failure);
  }
}
