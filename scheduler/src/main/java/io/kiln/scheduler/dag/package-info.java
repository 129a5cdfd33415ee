/// From jobs to stage attempts. The door is [io.kiln.scheduler.dag.DagScheduler].
package io.kiln.scheduler.dag;
