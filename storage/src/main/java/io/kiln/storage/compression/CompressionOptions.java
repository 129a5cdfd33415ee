package io.kiln.storage.compression;

/// What is compressed, and how; and what all that is stored is encrypted with.
///
/// @param codec `spark.io.compression.codec`
/// @param shuffle map outputs (`spark.shuffle.compress`)
/// @param spill what is spilled (`spark.shuffle.spill.compress`)
/// @param rdd serialised blocks of RDDs (`spark.rdd.compress`)
/// @param key the application's, if it has one
public record CompressionOptions(
    CompressionCodec codec, boolean shuffle, boolean spill, boolean rdd, FrameKey key) {
  public static final CompressionOptions DEFAULT =
      new CompressionOptions(CompressionCodec.LZ4, true, true, false);

  /// Encrypts nothing.
  public CompressionOptions(CompressionCodec codec, boolean shuffle, boolean spill, boolean rdd) {
    this(codec, shuffle, spill, rdd, FrameKey.NONE);
  }

  public CompressionOptions withKey(FrameKey newKey) {
    return new CompressionOptions(codec, shuffle, spill, rdd, newKey);
  }

  public FrameFormat shuffleFormat() {
    return new FrameFormat(shuffle ? codec : CompressionCodec.NONE, key);
  }

  public FrameFormat spillFormat() {
    return new FrameFormat(spill ? codec : CompressionCodec.NONE, key);
  }

  public FrameFormat rddFormat() {
    return new FrameFormat(rdd ? codec : CompressionCodec.NONE, key);
  }
}
