/// How many executors there should be, and which there are. The door is
/// [io.kiln.scheduler.allocation.ExecutorAllocator]; whoever starts processes (a local launcher, a
/// standalone Master, YARN, Kubernetes) takes its [io.kiln.scheduler.allocation.LaunchRequest]s.
package io.kiln.scheduler.allocation;
