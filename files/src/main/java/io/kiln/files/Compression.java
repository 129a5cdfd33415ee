package io.kiln.files;

import io.kiln.api.KilnException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a file is compressed, told by the end of its name, in whichever case. A compressed file is
/// read from its beginning only, but for bzip2, whose blocks can be found; several compressed
/// streams in a row are read as one.
enum Compression {
  GZIP("gzip", ".gz", 0x1F, 0x8B, 0x08),
  DEFLATE("deflate", ".deflate"),
  BZIP2("bzip2", ".bz2", 0x42, 0x5A, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59),
  ZSTD("zstd", ".zst", 0x28, 0xB5, 0x2F, 0xFD),
  /// Written as LZ4 frames, the format of the `lz4` tool; Hadoop's blocks are read too.
  LZ4("lz4", ".lz4", 0x04, 0x22, 0x4D, 0x18);

  /// Of the longest magic number.
  static final int MAGIC_BYTES = 10;

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final String SNAPPY_EXTENSION = ".snappy";

  private final String codec;
  private final String extension;

  @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
  private final byte[] magic;

  Compression(String codec, String extension, int... magic) {
    this.codec = codec;
    this.extension = extension;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  OutputStream compress(OutputStream out) throws IOException {
    return CompressionStreams.compress(this, out);
  }

  /// As users name it.
  String codec() {
    return codec;
  }

  /// Whether a file can be read from its middle.
  boolean isSplittable() {
    return this == BZIP2;
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

  /// The names that [#ofCodec] takes, with commas.
  static String codecs() {
    return Stream.of(values()).map(Compression::codec).collect(Collectors.joining(", "));
  }

  static Optional<Compression> ofPath(String path) {
    for (Compression compression : values()) {
      if (endsWith(path, compression.extension)) {
        return Optional.of(compression);
      }
    }
    if (endsWith(path, SNAPPY_EXTENSION)) {
      throw FileFailure.codecUnsupported("snappy", path); // it would be read as text
    }
    return Optional.empty();
  }

  private static boolean endsWith(String path, String extension) {
    int at = path.length() - extension.length();
    return path.regionMatches(true, at, extension, 0, extension.length());
  }

  /// Refuses a file whose name says nothing of the compression that its first bytes show. No text
  /// begins with those.
  ///
  /// @param first up to [#MAGIC_BYTES] of the file
  static void requireText(String path, byte[] first) {
    for (Compression compression : values()) {
      byte[] magic = compression.magic;
      if (magic.length > 0
          && first.length >= magic.length
          && Arrays.equals(first, 0, magic.length, magic, 0, magic.length)) {
        throw FileFailure.compressedByAnotherName(path, compression);
      }
    }
  }

  /// A file's content as its extension says.
  ///
  /// @throws KilnException `INPUT_IS_COMPRESSED` if the extension says nothing, but the content
  /// @param in closed if this fails, else with the result
  static InputStream decompressed(String path, InputStream in) throws IOException {
    Optional<Compression> compression = ofPath(path);
    try {
      if (compression.isEmpty()) {
        BufferedInputStream text = new BufferedInputStream(in, BUFFER_BYTES);
        text.mark(MAGIC_BYTES);
        requireText(path, text.readNBytes(MAGIC_BYTES));
        text.reset();
        return text;
      }
      return CompressionStreams.decompress(
          compression.get(), new BufferedInputStream(in, BUFFER_BYTES));
    } catch (IOException | RuntimeException e) {
      try (in) {
        throw e;
      }
    }
  }
}
