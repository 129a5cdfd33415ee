package io.kiln.storage.compression;

import java.io.IOException;

/// Writes bytes as frames: the length before and after compression, four bytes each, and what is
/// stored. A frame that compression would not make smaller, or too small to try, is stored as it
/// is.
///
/// Frames may be joined: the reader sees one run of bytes. Used by one thread.
public final class FrameEncoder {
  /// Where compression starts to be worth the call.
  static final int SMALLEST_COMPRESSED = 2048;

  static final int HEADER_BYTES = 8;

  private final CompressionCodec codec;
  private byte[] scratch = new byte[0];

  /// Takes encoded frames.
  @FunctionalInterface
  public interface Target {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  public FrameEncoder(CompressionCodec codec) {
    this.codec = codec;
  }

  /// Writes one frame, in one or two calls of the target.
  public void encode(byte[] bytes, int offset, int length, Target target) throws IOException {
    if (length == 0) {
      return;
    }
    if (codec != CompressionCodec.NONE && length >= SMALLEST_COMPRESSED) {
      BlockCompressor compressor = Compressors.of(codec);
      reserve(HEADER_BYTES + compressor.maxCompressedLength(length));
      int stored = compressor.compress(bytes, offset, length, scratch, HEADER_BYTES);
      if (stored < length - length / 16) {
        putHeader(length, stored);
        target.write(scratch, 0, HEADER_BYTES + stored);
        return;
      }
    }
    reserve(HEADER_BYTES);
    putHeader(length, length);
    target.write(scratch, 0, HEADER_BYTES);
    target.write(bytes, offset, length);
  }

  private void reserve(int length) {
    if (scratch.length < length) {
      scratch = new byte[length];
    }
  }

  private void putHeader(int rawLength, int storedLength) {
    putInt(0, rawLength);
    putInt(4, storedLength);
  }

  private void putInt(int at, int value) {
    scratch[at] = (byte) (value >> 24);
    scratch[at + 1] = (byte) (value >> 16);
    scratch[at + 2] = (byte) (value >> 8);
    scratch[at + 3] = (byte) value;
  }
}
