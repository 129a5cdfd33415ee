/// The scheduler: pure machines that decide what runs where. The doors are
/// [io.kiln.scheduler.dag.DagScheduler] (jobs to stages) and
/// [io.kiln.scheduler.task.TaskScheduler] (stages to slots).
package io.kiln.scheduler;
