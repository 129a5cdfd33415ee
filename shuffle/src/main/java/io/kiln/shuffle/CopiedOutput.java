package io.kiln.shuffle;

import io.kiln.process.disk.StoredSegment;
import java.io.IOException;
import java.util.zip.CRC32C;

/// Writes a copy of a map output of another process, segment by segment. Used by one thread; what
/// was not committed goes with [#close].
public final class CopiedOutput implements AutoCloseable {
  private final OutputOrigin origin;
  private final NewOutput output;
  private final CRC32C crc = new CRC32C();
  private int partition;
  private long segmentStart;

  /// @param numPartitions how many segments will come
  public CopiedOutput(OutputOrigin origin, ShuffleStore store, int bufferBytes, int numPartitions) {
    this.origin = origin;
    this.output = new NewOutput(store, origin.shuffleId(), numPartitions, bufferBytes);
    this.segmentStart = output.data().position();
  }

  public void write(byte[] bytes, int length) throws IOException {
    crc.update(bytes, 0, length);
    output.data().write(bytes, 0, length);
  }

  /// The segment of the next reduce partition is complete.
  ///
  /// @param checksum that it should have; has no meaning for an empty one
  /// @throws IOException if it has another
  public void endSegment(int checksum) throws IOException {
    long end = output.data().position();
    StoredSegment segment =
        new StoredSegment(segmentStart, end - segmentStart, (int) crc.getValue());
    if (segment.length() > 0 && segment.checksum() != checksum) {
      throw new IOException("the segment of partition " + partition + " has a wrong checksum");
    }
    output.add(segment);
    segmentStart = end;
    crc.reset();
    partition++;
  }

  /// All segments have come.
  ///
  /// @return whether it is the output that counts now
  public boolean commit() throws IOException {
    return output.commit(origin).taskAttemptId() == origin.taskAttemptId();
  }

  @Override
  public void close() {
    output.close();
  }
}
