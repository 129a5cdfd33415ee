/// Simulated standalone clusters. The door is
/// [io.kiln.simulation.cluster.StandaloneSimulation].
package io.kiln.simulation.cluster;
