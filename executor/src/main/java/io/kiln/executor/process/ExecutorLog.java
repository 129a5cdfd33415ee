package io.kiln.executor.process;

import io.kiln.api.spi.LogControl;
import java.util.ServiceLoader;

/// How much this process logs, if its logging is one that can be told.
final class ExecutorLog {
  private ExecutorLog() {}

  static void setLevel(String level) {
    ServiceLoader.load(LogControl.class, ExecutorLog.class.getClassLoader())
        .findFirst()
        .ifPresent(control -> control.setLevel(level));
  }
}
