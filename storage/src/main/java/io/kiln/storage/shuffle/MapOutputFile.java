package io.kiln.storage.shuffle;

import io.kiln.storage.disk.DiskFileWriter;
import io.kiln.storage.disk.LocalDirectories;
import io.kiln.storage.disk.SegmentWriter;
import io.kiln.storage.disk.StoredSegment;
import java.io.IOException;
import java.nio.file.Path;

/// Writes the data and the index file of one attempt of a map task. Used by the task's thread.
///
/// The files carry the attempt's id in their names, so attempts never meet; what makes an output
/// visible is its entry in the [ShuffleStore], made when both files are complete.
final class MapOutputFile {
  private final TaskResources resources;
  private final ShuffleStore store;
  private final int shuffleId;
  private final int mapPartition;
  private final DiskFileWriter data;
  private final SegmentWriter segments;
  private final long[] offsets;
  private final long[] lengths;
  private final int[] checksums;
  private long records;
  private boolean complete;

  MapOutputFile(
      TaskResources resources,
      ShuffleStore store,
      int shuffleId,
      int mapPartition,
      int numPartitions) {
    this.resources = resources;
    this.store = store;
    this.shuffleId = shuffleId;
    this.mapPartition = mapPartition;
    this.offsets = new long[numPartitions];
    this.lengths = new long[numPartitions];
    this.checksums = new int[numPartitions];
    this.data = resources.open(file(".data"));
    this.segments = new SegmentWriter(data, resources.shuffleFormat());
  }

  private Path file(String suffix) {
    return resources
        .directories()
        .newFile(
            ShuffleStore.group(shuffleId),
            "map-" + mapPartition + "-" + resources.taskAttemptId() + suffix);
  }

  SegmentWriter segments() {
    return segments;
  }

  void endPartition(int partition) throws IOException {
    StoredSegment segment = segments.end();
    offsets[partition] = segment.offset();
    lengths[partition] = segment.length();
    checksums[partition] = segment.checksum();
  }

  void addRecords(long count) {
    records += count;
  }

  MapOutput commit() throws IOException {
    byte[] index = ShuffleIndex.encode(lengths, checksums);
    Path indexFile = file(".index");
    DiskFileWriter indexWriter = resources.open(indexFile);
    try {
      data.close();
      indexWriter.write(index, 0, index.length);
      indexWriter.close();
      complete = true;
    } finally {
      if (!complete) {
        indexWriter.abort();
        resources.settled(indexWriter);
        abort();
      }
    }
    resources.settled(indexWriter);
    resources.settled(data);
    resources.recordsWritten.addAndGet(records);
    resources.bytesWritten.addAndGet(data.position());
    resources.writeNanos.addAndGet(data.writeNanos() + indexWriter.writeNanos());
    MapOutput output = new MapOutput(shuffleId, mapPartition, lengths, records);
    return store
        .commit(
            new CommittedOutput(
                output,
                resources.taskAttemptId(),
                data.path(),
                indexFile,
                offsets,
                checksums,
                resources.shuffleFormat()))
        .output();
  }

  void abort() {
    if (!complete) {
      data.abort();
      LocalDirectories.removeFile(data.path());
      resources.settled(data);
    }
  }
}
