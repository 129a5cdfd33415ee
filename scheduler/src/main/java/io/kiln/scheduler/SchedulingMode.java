package io.kiln.scheduler;

/// How those who compete for slots are ordered.
public enum SchedulingMode {
  /// First the older job, then the lower stage.
  FIFO,
  /// First who is furthest below its share.
  FAIR
}
