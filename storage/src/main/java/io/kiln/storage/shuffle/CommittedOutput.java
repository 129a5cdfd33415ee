package io.kiln.storage.shuffle;

import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.disk.StoredSegment;
import java.nio.file.Path;

/// The files of a map task's output that others may read.
///
/// @param taskAttemptId of the task that wrote them
/// @param offsets where each reduce partition's bytes begin
/// @param checksums CRC32C of each reduce partition's bytes
public record CommittedOutput(
    MapOutput output,
    long taskAttemptId,
    Path dataFile,
    Path indexFile,
    long[] offsets,
    int[] checksums,
    FrameFormat format) {

  public StoredSegment segment(int reducePartition) {
    return new StoredSegment(
        offsets[reducePartition],
        output.partitionBytes()[reducePartition],
        checksums[reducePartition]);
  }
}
