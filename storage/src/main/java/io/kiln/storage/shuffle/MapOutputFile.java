package io.kiln.storage.shuffle;

import io.kiln.shuffle.MapOutput;
import io.kiln.shuffle.NewOutput;
import io.kiln.shuffle.OutputOrigin;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.disk.SegmentWriter;
import java.io.IOException;

/// Writes the output of one attempt of a map task. Used by the task's thread.
final class MapOutputFile {
  private final TaskResources resources;
  private final int shuffleId;
  private final int mapPartition;
  private final NewOutput output;
  private final SegmentWriter segments;
  private long records;

  MapOutputFile(
      TaskResources resources,
      ShuffleStore store,
      int shuffleId,
      int mapPartition,
      int numPartitions) {
    this.resources = resources;
    this.shuffleId = shuffleId;
    this.mapPartition = mapPartition;
    this.output = resources.newOutput(store, shuffleId, numPartitions);
    this.segments = new SegmentWriter(output.data(), resources.shuffleFormat());
  }

  SegmentWriter segments() {
    return segments;
  }

  /// The next reduce partition is complete.
  void endPartition() throws IOException {
    output.add(segments.end());
  }

  void addRecords(long count) {
    records += count;
  }

  MapOutput commit() throws IOException {
    OutputOrigin origin =
        new OutputOrigin(shuffleId, mapPartition, resources.taskAttemptId(), records);
    MapOutput latest = output.commit(origin).output();
    resources.settled(output.data());
    resources.recordsWritten.addAndGet(records);
    resources.bytesWritten.addAndGet(output.bytes());
    resources.writeNanos.addAndGet(output.data().writeNanos());
    return latest;
  }

  /// Drops what was not committed.
  void abort() {
    output.close();
    resources.settled(output.data());
  }
}
