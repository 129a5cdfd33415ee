package io.kiln.storage.shuffle;

import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.disk.DiskFileWriter;
import io.kiln.storage.disk.LocalDirectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/// Writes a copy of a map output of another process, segment by segment. Used by one thread; what
/// was not committed goes with [#close].
public final class CopiedOutput implements AutoCloseable {

  /// Which output it is.
  ///
  /// @param taskAttemptId of the task that wrote it
  /// @param records that the task has written
  public record Origin(int shuffleId, int mapPartition, long taskAttemptId, long records) {}

  private final Origin origin;
  private final ShuffleStore store;
  private final int bufferBytes;
  private final DiskFileWriter data;
  private final Path indexFile;
  private final long[] offsets;
  private final long[] lengths;
  private final int[] checksums;
  private final CRC32C crc = new CRC32C();
  private int partition;
  private boolean committed;

  /// @param numPartitions how many segments will come
  public CopiedOutput(
      Origin origin,
      ShuffleStore store,
      LocalDirectories directories,
      int bufferBytes,
      int numPartitions) {
    this.origin = origin;
    this.store = store;
    this.bufferBytes = bufferBytes;
    String group = ShuffleStore.group(origin.shuffleId());
    String name = "map-" + origin.mapPartition() + "-" + UUID.randomUUID();
    this.data = new DiskFileWriter(directories.newFile(group, name + ".data"), bufferBytes);
    this.indexFile = directories.newFile(group, name + ".index");
    this.offsets = new long[numPartitions];
    this.lengths = new long[numPartitions];
    this.checksums = new int[numPartitions];
  }

  public void write(byte[] bytes, int length) throws IOException {
    crc.update(bytes, 0, length);
    data.write(bytes, 0, length);
  }

  /// The segment of the next reduce partition is complete.
  ///
  /// @param checksum that it should have; has no meaning for an empty one
  /// @throws IOException if it has another
  public void endSegment(int checksum) throws IOException {
    offsets[partition] = partition == 0 ? 0 : offsets[partition - 1] + lengths[partition - 1];
    lengths[partition] = data.position() - offsets[partition];
    if (lengths[partition] > 0 && (int) crc.getValue() != checksum) {
      throw new IOException("the segment of partition " + partition + " has a wrong checksum");
    }
    checksums[partition] = (int) crc.getValue();
    crc.reset();
    partition++;
  }

  /// All segments have come.
  ///
  /// @return whether it is the output that counts now
  public boolean commit(FrameFormat format) throws IOException {
    data.close();
    byte[] index = ShuffleIndex.encode(lengths, checksums);
    DiskFileWriter indexWriter = new DiskFileWriter(indexFile, bufferBytes);
    try {
      indexWriter.write(index, 0, index.length);
      indexWriter.close();
    } finally {
      indexWriter.abort();
    }
    committed = true;
    MapOutput output =
        new MapOutput(origin.shuffleId(), origin.mapPartition(), lengths, origin.records());
    CommittedOutput latest =
        store.commit(
            new CommittedOutput(
                output,
                origin.taskAttemptId(),
                data.path(),
                indexFile,
                offsets,
                checksums,
                format));
    return latest.taskAttemptId() == origin.taskAttemptId();
  }

  @Override
  public void close() {
    if (!committed) {
      data.abort();
      LocalDirectories.removeFile(data.path());
      LocalDirectories.removeFile(indexFile);
    }
  }
}
