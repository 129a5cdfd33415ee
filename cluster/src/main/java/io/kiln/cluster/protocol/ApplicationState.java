package io.kiln.cluster.protocol;

/// WAITING has no executor yet; UNKNOWN: a master that has taken over has not heard of it yet.
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
