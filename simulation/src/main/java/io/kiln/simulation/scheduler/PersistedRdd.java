package io.kiln.simulation.scheduler;

import java.util.List;

/// An RDD that may be persisted.
///
/// @param behind the shuffles that it is computed from
/// @param copies on as many executors
/// @param onDisk then nothing of it is evicted
record PersistedRdd(int id, int numPartitions, List<Integer> behind, int copies, boolean onDisk) {}
