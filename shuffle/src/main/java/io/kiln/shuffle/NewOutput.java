package io.kiln.shuffle;

import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.shuffle.OutputFiles.OutputFile;
import java.io.IOException;

/// A map output on its way into a file. Used by one thread.
///
/// What makes it visible is its entry in the [ShuffleStore], made when all is written. What was not
/// committed goes with [#close].
public final class NewOutput implements AutoCloseable {
  private final ShuffleStore store;
  private final OutputFiles files;
  private final OutputFile file;
  private final DiskFileWriter data;
  private final long[] offsets;
  private final long[] lengths;
  private final int[] checksums;
  private int partition;
  private long bytes;

  public NewOutput(ShuffleStore store, int shuffleId, int numPartitions, int bufferBytes) {
    this.store = store;
    this.files = store.files(shuffleId);
    this.file = files.take();
    this.data = new DiskFileWriter(file.path(), file.bytes(), bufferBytes);
    this.offsets = new long[numPartitions];
    this.lengths = new long[numPartitions];
    this.checksums = new int[numPartitions];
  }

  public DiskFileWriter data() {
    return data;
  }

  /// The segment of the next reduce partition is complete.
  public void add(StoredSegment segment) {
    offsets[partition] = segment.offset();
    lengths[partition] = segment.length();
    bytes += segment.length();
    checksums[partition] = segment.checksum();
    partition++;
  }

  /// Of the segments that are complete.
  public long bytes() {
    return bytes;
  }

  /// All segments are complete.
  ///
  /// @return the output that counts now
  public CommittedOutput commit(OutputOrigin origin) throws IOException {
    CommittedOutput written =
        new CommittedOutput(
            new MapOutput(origin.shuffleId(), origin.mapPartition(), lengths, origin.records()),
            origin.taskAttemptId(),
            file.path(),
            offsets,
            checksums);
    byte[] trailer = OutputTrailer.of(written);
    data.write(trailer, 0, trailer.length);
    data.close();
    CommittedOutput latest = store.commit(written);
    files.giveBack(new OutputFile(file.path(), data.position()));
    return latest;
  }

  @Override
  public void close() {
    data.abort();
  }
}
