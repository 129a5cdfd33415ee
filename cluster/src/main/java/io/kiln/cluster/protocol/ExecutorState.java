package io.kiln.cluster.protocol;

/// ```
///  LAUNCHING ──► RUNNING ──► EXITED by itself, FAILED to start, KILLED as told,
///                            LOST with its worker, DECOMMISSIONED with its worker
/// ```
public enum ExecutorState {
  LAUNCHING,
  RUNNING,
  KILLED,
  FAILED,
  LOST,
  EXITED,
  DECOMMISSIONED;

  /// Whether it has ended.
  public boolean isFinal() {
    return this != LAUNCHING && this != RUNNING;
  }
}
