package io.kiln.storage.shuffle;

import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.disk.DiskFileWriter;
import io.kiln.storage.disk.StoredSegment;
import io.kiln.storage.shuffle.OutputFiles.OutputFile;
import java.io.IOException;

/// A map output on its way into a file. Used by one thread.
///
/// What makes it visible is its entry in the [ShuffleStore], made when all is written. What was not
/// committed goes with [#close].
final class NewOutput implements AutoCloseable {
  private final ShuffleStore store;
  private final OutputFiles files;
  private final OutputFile file;
  private final DiskFileWriter data;
  private final long[] offsets;
  private final long[] lengths;
  private final int[] checksums;
  private int partition;

  NewOutput(ShuffleStore store, int shuffleId, int numPartitions, int bufferBytes) {
    this.store = store;
    this.files = store.files(shuffleId);
    this.file = files.take();
    this.data = new DiskFileWriter(file.path(), file.bytes(), bufferBytes);
    this.offsets = new long[numPartitions];
    this.lengths = new long[numPartitions];
    this.checksums = new int[numPartitions];
  }

  DiskFileWriter data() {
    return data;
  }

  long bytes() {
    return data.position() - file.bytes();
  }

  /// The segment of the next reduce partition is complete.
  void add(StoredSegment segment) {
    offsets[partition] = segment.offset();
    lengths[partition] = segment.length();
    checksums[partition] = segment.checksum();
    partition++;
  }

  /// All segments are complete.
  ///
  /// @return the output that counts now
  CommittedOutput commit(OutputOrigin origin, FrameFormat format) throws IOException {
    if (bytes() > 0) {
      data.close();
    }
    CommittedOutput latest =
        store.commit(
            new CommittedOutput(
                new MapOutput(origin.shuffleId(), origin.mapPartition(), lengths, origin.records()),
                origin.taskAttemptId(),
                file.path(),
                offsets,
                checksums,
                format));
    files.giveBack(new OutputFile(file.path(), data.position()));
    return latest;
  }

  @Override
  public void close() {
    data.abort();
  }
}
