package io.kiln.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {
  private static final List<String> LINES =
      IntStream.range(0, 50_000).mapToObj(i -> "line " + i + " of a text é " + i * 31).toList();

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void writtenAndReadAgain(Compression compression) throws IOException {
    Path file = directory.resolve("text" + compression.extension());
    try (OutputStream out = compression.compress(Files.newOutputStream(file))) {
      out.write(text(LINES));
    }
    assertThat(Files.size(file)).isLessThan(text(LINES).length / 2);
    assertThat(read(file)).isEqualTo(LINES);
  }

  @ParameterizedTest
  @EnumSource
  void theCaseOfTheExtensionDoesNotMatter(Compression compression) throws IOException {
    String extension = compression.extension().toUpperCase(java.util.Locale.ROOT);
    Path file = directory.resolve("TEXT" + extension);
    try (OutputStream out = compression.compress(Files.newOutputStream(file))) {
      out.write(text(LINES));
    }
    assertThat(read(file)).isEqualTo(LINES);
    assertThatThrownBy(() -> Compression.ofPath("a.SNAPPY")).hasMessageContaining("snappy");
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "BZIP2", "ZSTD", "LZ4"})
  void contentThatTheNameDoesNotTellOfIsRefused(Compression compression) throws IOException {
    Path file = directory.resolve("text.txt");
    try (OutputStream out = compression.compress(Files.newOutputStream(file))) {
      out.write(text(LINES));
    }
    assertThatThrownBy(() -> read(file))
        .hasMessageContaining("it is compressed with " + compression.codec())
        .hasMessageContaining("rename it");
    assertThatThrownBy(
            () -> Compression.decompressed(file.toString(), Files.newInputStream(file)).close())
        .hasMessageContaining("it is compressed with");
  }

  @Test
  void theCodecsThatThereAreAreNamed() {
    assertThatThrownBy(() -> Compression.ofCodec(Optional.of("rar")))
        .hasMessageContaining("use one of gzip, deflate, bzip2, zstd, lz4, or none");
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "BZIP2", "ZSTD", "LZ4"})
  void severalStreamsInARowAreOneFile(Compression compression) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int from = 0; from < LINES.size(); from += 10_000) {
      try (OutputStream out = compression.compress(all)) {
        out.write(text(LINES.subList(from, from + 10_000)));
      }
    }
    Path file = Files.write(directory.resolve("a" + compression.extension()), all.toByteArray());
    assertThat(read(file)).isEqualTo(LINES);
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsCutIsAnErrorThatNamesIt(Compression compression) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (OutputStream out = compression.compress(all)) {
      out.write(text(LINES));
    }
    byte[] half = Arrays.copyOf(all.toByteArray(), all.size() / 2);
    Path file = Files.write(directory.resolve("cut" + compression.extension()), half);
    assertThatThrownBy(() -> read(file))
        .isInstanceOfSatisfying(
            KilnException.class, e -> assertThat(e.code()).isEqualTo("INPUT_READ_FAILED"))
        .hasMessageContaining(file.toString());
  }

  @Test
  void hadoopBlocksOfLz4() throws IOException {
    Path file = directory.resolve("hadoop.lz4");
    byte[] text = text(LINES);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      for (int from = 0; from < text.length; from += 100_000) {
        byte[] block = Arrays.copyOfRange(text, from, Math.min(text.length, from + 100_000));
        out.writeInt(block.length);
        for (int at = 0; at < block.length; at += 40_000) {
          byte[] chunk = Arrays.copyOfRange(block, at, Math.min(block.length, at + 40_000));
          byte[] compressed = LZ4Factory.safeInstance().fastCompressor().compress(chunk);
          out.writeInt(compressed.length);
          out.write(compressed);
        }
      }
    }
    assertThat(read(file)).isEqualTo(LINES);
  }

  @Test
  void namesOfCodecs() {
    assertThat(Compression.ofCodec(Optional.of("gzip"))).contains(Compression.GZIP);
    assertThat(Compression.ofCodec(Optional.of("none"))).isEmpty();
    assertThat(Compression.ofCodec(Optional.empty())).isEmpty();
    assertThatThrownBy(() -> Compression.ofCodec(Optional.of("rar")))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining("'rar'");
    assertThatThrownBy(() -> Compression.ofPath("/data/x.snappy"))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining("/data/x.snappy");
  }

  private static byte[] text(List<String> lines) {
    return (String.join("\n", lines) + "\n").getBytes(UTF_8);
  }

  private static List<String> read(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (LineReader reader =
        LineReader.open(Local.FILES, new FileSplit(0, file.toString(), 0, Files.size(file)))) {
      for (String line = reader.next(); line != null; line = reader.next()) {
        lines.add(line);
      }
    }
    return lines;
  }
}
