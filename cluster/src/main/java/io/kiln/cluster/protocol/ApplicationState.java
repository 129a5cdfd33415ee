package io.kiln.cluster.protocol;

/// ```
///                             gets its first executor
///  UNKNOWN ──────► WAITING ─────────────────────────────► RUNNING
///     │ registers  │     ◄──────── loses its last one ──────┘ │
///     │            │                                          │
///     └────────────┴──────────────────────────────────────────┴──► FINISHED: its driver says so
///                                                                  KILLED: by request
///                                                                  FAILED: its driver is lost, or
///                                                                          its executors fail
/// ```
///
/// UNKNOWN: a master that has taken over has not heard of it yet.
public enum ApplicationState {
  WAITING,
  RUNNING,
  FINISHED,
  FAILED,
  KILLED,
  UNKNOWN;

  /// Whether it stays so.
  public boolean isFinal() {
    return switch (this) {
      case FINISHED, FAILED, KILLED -> true;
      case WAITING, RUNNING, UNKNOWN -> false;
    };
  }
}
