package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Payload;

/// What a simulated task returns: who it was, and what it has read.
record SimulatedResult(int stageId, int partition, Provenance provenance) implements Payload {}
