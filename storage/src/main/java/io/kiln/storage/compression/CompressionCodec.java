package io.kiln.storage.compression;

import io.kiln.api.KilnException;
import java.util.Locale;

/// How bytes are compressed.
public enum CompressionCodec {
  NONE,
  LZ4,
  ZSTD;

  /// @param setting a value of `spark.io.compression.codec`
  /// @throws KilnException with code `COMPRESSION_CODEC_UNKNOWN`
  public static CompressionCodec fromSetting(String setting) {
    return switch (setting.trim().toLowerCase(Locale.ROOT)) {
      case "lz4", "org.apache.spark.io.lz4compressioncodec" -> LZ4;
      case "zstd", "org.apache.spark.io.zstdcompressioncodec" -> ZSTD;
      case "none", "uncompressed" -> NONE;
      default ->
          throw new KilnException(
              "COMPRESSION_CODEC_UNKNOWN",
              KilnException.Kind.USER,
              "compression codec '"
                  + setting
                  + "' is not available; set spark.io.compression.codec to lz4, zstd or none");
    };
  }
}
