package io.kiln.storage.compression;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Reads what [FrameEncoder] wrote. Used by one thread.
public final class FrameDecoder implements AutoCloseable {
  private static final int MAX_FRAME_BYTES = 1 << 30;

  private final CompressionCodec codec;
  private final FrameKey key;
  private final InputStream stored;
  private final byte[] header = new byte[FrameEncoder.HEADER_BYTES];
  private byte[] compressed = new byte[0];
  private byte[] encrypted = new byte[0];
  private int rawLength = -1;
  private int storedLength;

  public FrameDecoder(FrameFormat format, InputStream stored) {
    this.codec = format.codec();
    this.key = format.key();
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
          || contentLength() <= 0
          || contentLength() > rawLength) {
        throw new IOException("the stored bytes are no frame");
      }
    }
    return rawLength;
  }

  /// Reads the frame that [#nextLength] announced.
  public void read(byte[] target, int offset) throws IOException {
    int length = contentLength();
    if (length == rawLength) {
      readContent(target, offset, length);
    } else {
      if (compressed.length < length) {
        compressed = new byte[length];
      }
      readContent(compressed, 0, length);
      Compressors.of(codec).decompress(compressed, 0, length, target, offset, rawLength);
    }
    rawLength = -1;
  }

  /// Of what is stored, without what encryption added.
  private int contentLength() {
    return key.encrypts() ? storedLength - FrameCipher.OVERHEAD_BYTES : storedLength;
  }

  private void readContent(byte[] target, int offset, int length) throws IOException {
    if (!key.encrypts()) {
      readFully(target, offset, length);
      return;
    }
    if (encrypted.length < storedLength) {
      encrypted = new byte[storedLength];
    }
    readFully(encrypted, 0, storedLength);
    FrameCipher cipher = key.take();
    cipher.decrypt(header, encrypted, storedLength, target, offset);
    key.giveBack(cipher);
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
