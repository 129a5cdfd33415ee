package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Payload;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The binary of a simulated stage: what its tasks read and write.
///
/// @param reads shuffles with the numbers of their maps
/// @param persisted what they read where it is stored, and else compute and store
/// @param needed the shuffles that were to be complete before the stage started
/// @param shuffleId what it writes, or -1
/// @param indeterminate whether what it writes differs each time
record SimulatedStage(
    int stageId,
    int shuffleId,
    List<Input> reads,
    Optional<PersistedInput> persisted,
    Set<Integer> needed,
    boolean indeterminate)
    implements Payload {
  record Input(int shuffleId, int numMaps) {}

  /// @param behind what a partition is computed from if it is not stored
  record PersistedInput(PersistedRdd rdd, List<Input> behind) {}
}
