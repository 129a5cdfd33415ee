/// The scheduler: pure machines that decide what runs where. The doors are
/// [io.kiln.scheduler.dag.DagScheduler] (jobs to stages), [io.kiln.scheduler.task.TaskScheduler]
/// (stages to slots) and [io.kiln.scheduler.allocation.ExecutorAllocator] (how many executors).
package io.kiln.scheduler;
