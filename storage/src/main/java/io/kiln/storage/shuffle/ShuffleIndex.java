package io.kiln.storage.shuffle;

import io.kiln.storage.disk.StoredSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// The index file of a map output: a mark, the number of reduce partitions, and for each the length
/// (8 bytes) and the checksum (4 bytes) of its part of the data file. Big-endian.
final class ShuffleIndex {
  private static final int MARK = 0x4b49_4c31;
  private static final int HEADER_BYTES = 8;
  private static final int ENTRY_BYTES = 12;

  private ShuffleIndex() {}

  static byte[] encode(long[] lengths, int[] checksums) {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + ENTRY_BYTES * lengths.length);
    bytes.putInt(MARK).putInt(lengths.length);
    for (int i = 0; i < lengths.length; i++) {
      bytes.putLong(lengths[i]).putInt(checksums[i]);
    }
    return bytes.array();
  }

  /// @throws IOException if the file can't be read or is no index
  static StoredSegment[] read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() < HEADER_BYTES || bytes.getInt() != MARK) {
      throw new IOException(file + " is no shuffle index");
    }
    int count = bytes.getInt();
    if (bytes.remaining() != (long) ENTRY_BYTES * count) {
      throw new IOException(file + " is cut off");
    }
    StoredSegment[] segments = new StoredSegment[count];
    long offset = 0;
    for (int i = 0; i < count; i++) {
      long length = bytes.getLong();
      segments[i] = new StoredSegment(offset, length, bytes.getInt());
      offset += length;
    }
    return segments;
  }
}
