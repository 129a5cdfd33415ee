package io.kiln.storage.compression;

import java.io.IOException;

/// Compresses one piece of bytes at a time. Thread-safe.
public interface BlockCompressor {

  /// The most that compressing `length` bytes can give.
  int maxCompressedLength(int length);

  /// @return the compressed length
  int compress(byte[] source, int offset, int length, byte[] target, int targetOffset);

  /// @param targetLength the exact length before compression
  /// @throws IOException if the bytes are not what [#compress] made
  void decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
      throws IOException;
}
