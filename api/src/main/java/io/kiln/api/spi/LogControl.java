package io.kiln.api.spi;

/// Says how much this process logs. Found by the engine as a `ServiceLoader` service; there is none
/// where the logging belongs to somebody else, as in an application that embeds the engine.
public interface LogControl {

  /// For all loggers from now on.
  ///
  /// @param level `ALL`, `TRACE`, `DEBUG`, `INFO`, `WARN`, `ERROR`, `FATAL` or `OFF`
  void setLevel(String level);
}
