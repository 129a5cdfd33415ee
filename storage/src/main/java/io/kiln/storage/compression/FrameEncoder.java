package io.kiln.storage.compression;

import java.io.IOException;

/// Writes bytes as frames: the length before and after compression, four bytes each, and what is
/// stored. A frame that compression would not make smaller, or too small to try, is stored as it
/// is. What is long becomes several frames: buffers stay small, and a JVM that has just started
/// soon has the compressor's code compiled, which it would interpret throughout one long call.
/// Where there is a key, what is stored is encrypted ([FrameCipher]).
///
/// Frames may be joined: the reader sees one run of bytes. Used by one thread.
public final class FrameEncoder {
  /// Where compression starts to be worth the call.
  static final int SMALLEST_COMPRESSED = 2048;

  /// Before compression.
  static final int LARGEST_FRAME = 256 << 10;

  static final int HEADER_BYTES = 8;

  private final CompressionCodec codec;
  private final FrameKey key;
  private byte[] scratch = new byte[0];
  private byte[] encrypted = new byte[0];

  /// Takes encoded frames.
  @FunctionalInterface
  public interface Target {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  public FrameEncoder(FrameFormat format) {
    this.codec = format.codec();
    this.key = format.key();
  }

  /// Writes frames, each in one or two calls of the target.
  public void encode(byte[] bytes, int offset, int length, Target target) throws IOException {
    int end = offset + length;
    for (int at = offset; at < end; at += LARGEST_FRAME) {
      encodeFrame(bytes, at, Math.min(LARGEST_FRAME, end - at), target);
    }
  }

  private void encodeFrame(byte[] bytes, int offset, int length, Target target) throws IOException {
    if (codec != CompressionCodec.NONE && length >= SMALLEST_COMPRESSED) {
      BlockCompressor compressor = Compressors.of(codec);
      reserve(HEADER_BYTES + compressor.maxCompressedLength(length));
      int stored = compressor.compress(bytes, offset, length, scratch, HEADER_BYTES);
      if (stored < length - length / 16) {
        if (key.encrypts()) {
          encrypt(length, scratch, HEADER_BYTES, stored, target);
        } else {
          putHeader(scratch, length, stored);
          target.write(scratch, 0, HEADER_BYTES + stored);
        }
        return;
      }
    }
    if (key.encrypts()) {
      encrypt(length, bytes, offset, length, target);
      return;
    }
    reserve(HEADER_BYTES);
    putHeader(scratch, length, length);
    target.write(scratch, 0, HEADER_BYTES);
    target.write(bytes, offset, length);
  }

  private void reserve(int length) {
    if (scratch.length < length) {
      scratch = new byte[length];
    }
  }

  private void encrypt(int rawLength, byte[] source, int offset, int length, Target target)
      throws IOException {
    int stored = Math.addExact(length, FrameCipher.OVERHEAD_BYTES);
    if (encrypted.length < HEADER_BYTES + stored) {
      encrypted = new byte[HEADER_BYTES + stored];
    }
    putHeader(encrypted, rawLength, stored);
    FrameCipher cipher = key.take();
    cipher.encrypt(source, offset, length, encrypted, HEADER_BYTES);
    key.giveBack(cipher);
    target.write(encrypted, 0, HEADER_BYTES + stored);
  }

  private static void putHeader(byte[] target, int rawLength, int storedLength) {
    putInt(target, 0, rawLength);
    putInt(target, 4, storedLength);
  }

  private static void putInt(byte[] target, int at, int value) {
    target[at] = (byte) (value >> 24);
    target[at + 1] = (byte) (value >> 16);
    target[at + 2] = (byte) (value >> 8);
    target[at + 3] = (byte) value;
  }
}
