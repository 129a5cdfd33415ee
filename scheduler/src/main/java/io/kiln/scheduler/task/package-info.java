/// From stage attempts to tasks on slots. The door is [io.kiln.scheduler.task.TaskScheduler].
package io.kiln.scheduler.task;
