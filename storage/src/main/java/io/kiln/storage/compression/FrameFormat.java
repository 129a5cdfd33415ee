package io.kiln.storage.compression;

/// How frames are stored.
///
/// @param codec that makes them smaller
/// @param key that they are encrypted with
public record FrameFormat(CompressionCodec codec, FrameKey key) {
  /// As they are.
  public static final FrameFormat PLAIN = new FrameFormat(CompressionCodec.NONE, FrameKey.NONE);
}
