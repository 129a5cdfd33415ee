/// The scheduler's machines in a simulated world. The door is
/// [io.kiln.simulation.scheduler.SchedulerSimulation].
package io.kiln.simulation.scheduler;
