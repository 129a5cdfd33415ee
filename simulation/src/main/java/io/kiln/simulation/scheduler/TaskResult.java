package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Payload;

/// What a simulated task returns: who it was.
record TaskResult(int stageId, int partition) implements Payload {}
