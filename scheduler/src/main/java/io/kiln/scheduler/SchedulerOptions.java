package io.kiln.scheduler;

import java.time.Duration;
import java.util.List;

/// The settings of the scheduler's machines.
///
/// @param maxTaskFailures how often one task may fail until its stage is given up, at least 1
/// @param maxStageAttempts how many attempts of a stage in a row may lose their input, at least 1
/// @param mode among pools; in FIFO mode there is one queue and pools mean nothing
/// @param pools the configured ones
/// @param localityWait how long a task waits for a slot near its data, at each level
/// @param watchTasks whether single tasks are reported from the start
public record SchedulerOptions(
    int maxTaskFailures,
    int maxStageAttempts,
    SchedulingMode mode,
    List<PoolSpec> pools,
    Duration localityWait,
    QueueTargets queue,
    boolean watchTasks) {
  public static final SchedulerOptions DEFAULT =
      new SchedulerOptions(
          4, 4, SchedulingMode.FIFO, List.of(), Duration.ofSeconds(3), QueueTargets.DEFAULT, false);

  public SchedulerOptions {
    if (maxTaskFailures < 1 || maxStageAttempts < 1) {
      throw new IllegalArgumentException("at least one failure and one attempt must be allowed");
    }
    pools = List.copyOf(pools);
  }

  public SchedulerOptions withMaxTaskFailures(int failures) {
    return new SchedulerOptions(
        failures, maxStageAttempts, mode, pools, localityWait, queue, watchTasks);
  }

  public SchedulerOptions withMaxStageAttempts(int attempts) {
    return new SchedulerOptions(
        maxTaskFailures, attempts, mode, pools, localityWait, queue, watchTasks);
  }

  public SchedulerOptions withMode(SchedulingMode newMode, List<PoolSpec> newPools) {
    return new SchedulerOptions(
        maxTaskFailures, maxStageAttempts, newMode, newPools, localityWait, queue, watchTasks);
  }

  public SchedulerOptions withQueue(QueueTargets newQueue) {
    return new SchedulerOptions(
        maxTaskFailures, maxStageAttempts, mode, pools, localityWait, newQueue, watchTasks);
  }

  public SchedulerOptions withWatchTasks(boolean watch) {
    return new SchedulerOptions(
        maxTaskFailures, maxStageAttempts, mode, pools, localityWait, queue, watch);
  }
}
