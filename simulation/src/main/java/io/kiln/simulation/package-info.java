/// The simulator: virtual time, a seeded queue of events, faults between processes. The door is
/// [io.kiln.simulation.SimulatedWorld].
package io.kiln.simulation;
