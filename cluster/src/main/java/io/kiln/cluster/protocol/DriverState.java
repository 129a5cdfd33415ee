package io.kiln.cluster.protocol;

/// ```
///  SUBMITTED ──► RUNNING ──► FINISHED (exit code 0), FAILED (another), KILLED as told,
///      ▲           │         ERROR (could not be run, or its worker was lost)
///      └───────────┴─ RELAUNCHING: supervised, and its worker was lost
/// ```
///
/// UNKNOWN: a master that has taken over has not heard of it yet; or its worker is lost, but its
/// application is here.
public enum DriverState {
  SUBMITTED,
  RUNNING,
  FINISHED,
  RELAUNCHING,
  UNKNOWN,
  KILLED,
  FAILED,
  ERROR;

  /// Whether it stays so.
  public boolean isFinal() {
    return switch (this) {
      case FINISHED, KILLED, FAILED, ERROR -> true;
      case SUBMITTED, RUNNING, RELAUNCHING, UNKNOWN -> false;
    };
  }
}
