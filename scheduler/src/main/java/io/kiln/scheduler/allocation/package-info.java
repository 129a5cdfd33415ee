/// How many executors there should be, and which there are. The door is
/// [io.kiln.scheduler.allocation.ExecutorAllocator], which alone decides the number. Whoever starts
/// processes, or has a cluster manager start them, takes its
/// [io.kiln.scheduler.allocation.LaunchRequest]s.
package io.kiln.scheduler.allocation;
