package io.kiln.files;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/// How a file is compressed, told by the end of its name. A compressed file is read from its
/// beginning only; several compressed streams in a row are read as one.
enum Compression {
  GZIP("gzip", ".gz"),
  DEFLATE("deflate", ".deflate"),
  BZIP2("bzip2", ".bz2"),
  ZSTD("zstd", ".zst"),
  /// Written as LZ4 frames, the format of the `lz4` tool; Hadoop's blocks are read too.
  LZ4("lz4", ".lz4");

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String SNAPPY_EXTENSION = ".snappy";

  private final String codec;
  private final String extension;

  Compression(String codec, String extension) {
    this.codec = codec;
    this.extension = extension;
  }

  OutputStream compress(OutputStream out) throws IOException {
    return CompressionStreams.compress(this, out);
  }

  /// With its dot.
  String extension() {
    return extension;
  }

  /// @param codec what the user gave to a `save` operation
  static Optional<Compression> ofCodec(Optional<String> codec) {
    if (codec.isEmpty() || codec.get().equals("none")) {
      return Optional.empty();
    }
    for (Compression compression : values()) {
      if (compression.codec.equalsIgnoreCase(codec.get())) {
        return Optional.of(compression);
      }
    }
    throw FileFailure.codecUnsupported(codec.get(), "an output");
  }

  static Optional<Compression> ofPath(String path) {
    for (Compression compression : values()) {
      if (path.endsWith(compression.extension)) {
        return Optional.of(compression);
      }
    }
    if (path.endsWith(SNAPPY_EXTENSION)) {
      throw FileFailure.codecUnsupported("snappy", path); // it would be read as text
    }
    return Optional.empty();
  }

  /// A file's content as its extension says.
  ///
  /// @param in closed if this fails, else with the result
  static InputStream decompressed(String path, InputStream in) throws IOException {
    Optional<Compression> compression = ofPath(path);
    if (compression.isEmpty()) {
      return in;
    }
    try {
      return CompressionStreams.decompress(
          compression.get(), new BufferedInputStream(in, BUFFER_BYTES));
    } catch (IOException e) {
      try (in) {
        throw e;
      }
    }
  }
}
