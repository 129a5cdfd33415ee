package io.kiln.storage.compression;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Reads what [FrameEncoder] wrote. Used by one thread.
public final class FrameDecoder implements AutoCloseable {
  private static final int MAX_FRAME_BYTES = 1 << 30;

  private final CompressionCodec codec;
  private final InputStream stored;
  private final byte[] header = new byte[FrameEncoder.HEADER_BYTES];
  private byte[] compressed = new byte[0];
  private int rawLength = -1;
  private int storedLength;

  public FrameDecoder(CompressionCodec codec, InputStream stored) {
    this.codec = codec;
    this.stored = stored;
  }

  /// The length of the next frame before compression.
  ///
  /// @return -1 at the end
  public int nextLength() throws IOException {
    if (rawLength < 0) {
      int got = stored.readNBytes(header, 0, header.length);
      if (got == 0) {
        return -1;
      }
      if (got < header.length) {
        throw new EOFException("the stored bytes end within a frame");
      }
      rawLength = getInt(0);
      storedLength = getInt(4);
      if (rawLength <= 0
          || rawLength > MAX_FRAME_BYTES
          || storedLength <= 0
          || storedLength > rawLength) {
        throw new IOException("the stored bytes are no frame");
      }
    }
    return rawLength;
  }

  /// Reads the frame that [#nextLength] announced.
  public void read(byte[] target, int offset) throws IOException {
    if (storedLength == rawLength) {
      readFully(target, offset, rawLength);
    } else {
      if (compressed.length < storedLength) {
        compressed = new byte[storedLength];
      }
      readFully(compressed, 0, storedLength);
      Compressors.of(codec).decompress(compressed, 0, storedLength, target, offset, rawLength);
    }
    rawLength = -1;
  }

  private void readFully(byte[] target, int offset, int length) throws IOException {
    if (stored.readNBytes(target, offset, length) < length) {
      throw new EOFException("the stored bytes end within a frame");
    }
  }

  private int getInt(int at) {
    return (header[at] & 0xff) << 24
        | (header[at + 1] & 0xff) << 16
        | (header[at + 2] & 0xff) << 8
        | (header[at + 3] & 0xff);
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
