package io.kiln.scheduler;

import java.time.Duration;

/// How much work waits on an executor, so that its slots need not wait for the driver.
///
/// @param alone work per slot while one task set has tasks to give
/// @param contended work per slot while several compete: what is queued can't be overtaken
/// @param maxTasksPerSlot however short the tasks are
public record QueueTargets(Duration alone, Duration contended, int maxTasksPerSlot) {
  public static final QueueTargets DEFAULT =
      new QueueTargets(Duration.ofMillis(4), Duration.ofNanos(500_000), 256);

  /// Nothing waits on executors.
  public static final QueueTargets NONE = new QueueTargets(Duration.ZERO, Duration.ZERO, 0);
}
