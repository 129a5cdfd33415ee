package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Payload;
import java.util.List;

/// The binary of a simulated stage: what its tasks read and write.
///
/// @param parents shuffles with the numbers of their maps
/// @param shuffleId what it writes, or -1
/// @param indeterminate whether what it writes differs each time
record StageWork(int stageId, int shuffleId, List<Input> parents, boolean indeterminate)
    implements Payload {
  record Input(int shuffleId, int numMaps) {}
}
