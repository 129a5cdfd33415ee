package io.kiln.storage.disk;

import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.StoredSegment;
import io.kiln.storage.compression.FrameEncoder;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.serializer.ByteWriter;
import java.io.IOException;
import java.util.zip.CRC32C;

/// Writes segments one after the other into a file: bytes are gathered, compressed in frames and
/// summed. Used by one thread.
public final class SegmentWriter {
  /// Of a frame, before compression.
  public static final int FRAME_BYTES = 64 << 10;

  private final DiskFileWriter file;
  private final FrameEncoder encoder;
  private final ByteWriter bytes = new ByteWriter(1024, FRAME_BYTES, this::encode);
  private final CRC32C checksum = new CRC32C();
  private long offset;

  public SegmentWriter(DiskFileWriter file, FrameFormat format) {
    this.file = file;
    this.encoder = new FrameEncoder(format);
    this.offset = file.position();
  }

  /// Where the current segment's bytes go.
  public ByteWriter bytes() {
    return bytes;
  }

  private void encode(byte[] raw, int length) throws IOException {
    encoder.encode(raw, 0, length, this::appendFrames);
  }

  /// Adds frames that were encoded elsewhere with the same format.
  public void appendFrames(byte[] frames, int start, int length) throws IOException {
    checksum.update(frames, start, length);
    file.write(frames, start, length);
  }

  /// Ends the current segment and begins the next.
  public StoredSegment end() throws IOException {
    bytes.flush();
    StoredSegment segment =
        new StoredSegment(offset, file.position() - offset, (int) checksum.getValue());
    offset = file.position();
    checksum.reset();
    return segment;
  }
}
