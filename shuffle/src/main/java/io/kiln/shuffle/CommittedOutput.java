package io.kiln.shuffle;

import io.kiln.process.disk.StoredSegment;
import java.nio.file.Path;

/// A map task's output in a file, that others may read.
///
/// @param taskAttemptId of the task that wrote it
/// @param dataFile in which other outputs may lie, too
/// @param offsets where each reduce partition's bytes begin
/// @param checksums CRC32C of each reduce partition's bytes
public record CommittedOutput(
    MapOutput output, long taskAttemptId, Path dataFile, long[] offsets, int[] checksums) {

  public StoredSegment segment(int reducePartition) {
    return new StoredSegment(
        offsets[reducePartition],
        output.partitionBytes()[reducePartition],
        checksums[reducePartition]);
  }
}
