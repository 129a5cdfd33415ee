package io.kiln.storage.compression;

/// What is compressed, and how.
///
/// @param codec `spark.io.compression.codec`
/// @param shuffle map outputs (`spark.shuffle.compress`)
/// @param spill what is spilled (`spark.shuffle.spill.compress`)
/// @param rdd serialised blocks of RDDs (`spark.rdd.compress`)
public record CompressionOptions(
    CompressionCodec codec, boolean shuffle, boolean spill, boolean rdd) {
  public static final CompressionOptions DEFAULT =
      new CompressionOptions(CompressionCodec.LZ4, true, true, false);

  public CompressionCodec shuffleCodec() {
    return shuffle ? codec : CompressionCodec.NONE;
  }

  public CompressionCodec spillCodec() {
    return spill ? codec : CompressionCodec.NONE;
  }

  public CompressionCodec rddCodec() {
    return rdd ? codec : CompressionCodec.NONE;
  }
}
