package io.kiln.storage.shuffle;

import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.disk.SegmentReader;
import io.kiln.storage.serializer.ObjectReader;
import java.io.IOException;
import java.nio.file.Path;

/// A file that a task spilled to.
///
/// @param segments one a partition
record SpillRun(Path path, StoredSegment[] segments, FrameFormat format) {

  boolean isEmpty(int partition) {
    return segments[partition].length() == 0;
  }

  ObjectReader open(int partition, TaskResources resources) throws IOException {
    return new ObjectReader(
        SegmentReader.open(path, segments[partition], format), resources.serializer());
  }
}
