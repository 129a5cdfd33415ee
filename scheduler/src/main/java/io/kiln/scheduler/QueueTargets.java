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

  /// For executors in other processes: a slot that has run dry waits for a round trip, a third of a
  /// millisecond or more. Simulated, these keep slots at work for 99% of their time with tasks of
  /// 20 µs to 5 ms (of 2 ms where several task sets compete); with the default it is 94% for tasks
  /// of 5 ms, and 87% for tasks of 1 ms where several compete.
  public static final QueueTargets BETWEEN_PROCESSES =
      new QueueTargets(Duration.ofMillis(8), Duration.ofMillis(2), 512);

  /// Nothing waits on executors.
  public static final QueueTargets NONE = new QueueTargets(Duration.ZERO, Duration.ZERO, 0);
}
