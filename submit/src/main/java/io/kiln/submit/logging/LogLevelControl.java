package io.kiln.submit.logging;

import io.kiln.api.spi.LogControl;

/// Lets a program change [LogLevel] through its context.
public final class LogLevelControl implements LogControl {

  /// For `ServiceLoader`.
  public LogLevelControl() {}

  @Override
  public void setLevel(String level) {
    LogLevel.set(level);
  }
}
