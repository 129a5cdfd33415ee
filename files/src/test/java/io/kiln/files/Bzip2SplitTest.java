package io.kiln.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each line of a bzip2 file is in one split, wherever the file is cut.
class Bzip2SplitTest {
  @TempDir Path directory;

  private Path write(String name, int level, List<String> parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String part : parts) {
      try (OutputStream out = new BZip2CompressorOutputStream(all, level)) {
        out.write(part.getBytes(UTF_8));
      }
    }
    return Files.write(directory.resolve(name), all.toByteArray());
  }

  private static List<String> read(Path file, long begin, long end) {
    List<String> lines = new ArrayList<>();
    try (LineReader reader =
        LineReader.open(Local.FILES, new FileSplit(0, file.toString(), begin, end))) {
      for (String line = reader.next(); line != null; line = reader.next()) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static void assertReadWhereverCut(Path file, List<String> lines, int cuts)
      throws IOException {
    long size = Files.size(file);
    assertThat(read(file, 0, size)).isEqualTo(lines);
    for (int cut = 0; cut < cuts; cut++) {
      long at = 1 + (size - 2) * cut / Math.max(1, cuts - 1);
      List<String> both = new ArrayList<>(read(file, 0, at));
      both.addAll(read(file, at, size));
      assertThat(both).as("cut at %d of %d", at, size).isEqualTo(lines);
    }
    for (int splits : new int[] {3, 7, 50}) {
      List<String> all = new ArrayList<>();
      for (int i = 0; i < splits; i++) {
        all.addAll(read(file, size * i / splits, size * (i + 1) / splits));
      }
      assertThat(all).isEqualTo(lines);
    }
  }

  private static List<String> lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).toList();
  }

  @Test
  void linesAcrossBlocks() throws IOException {
    Random random = new Random(1);
    List<String> lines = lines(30_000, i -> i + " " + Long.toHexString(random.nextLong()));
    Path file = write("a.bz2", 1, List.of(String.join("\n", lines) + "\n"));
    assertReadWhereverCut(file, lines, 9);
  }

  @Test
  void blocksThatEndWithALine() throws IOException {
    // a stream's end is a block's end, and here a line's
    List<String> parts = lines(40, i -> i + " some text\n");
    Path file = write("a.bz2", 9, parts);
    List<String> lines = parts.stream().map(String::strip).toList();
    assertReadWhereverCut(file, lines, 97);
    Path pairs = write("b.bz2", 9, Stream.of("a\r", "\nb", "\r\n", "c\r\n", "\n", "d").toList());
    assertReadWhereverCut(pairs, List.of("a", "b", "c", "", "d"), 97);
  }

  @Test
  void aLineOfManyBlocks() throws IOException {
    Random random = new Random(2);
    StringBuilder line = new StringBuilder();
    random.ints(400_000, 'a', 'z').forEach(c -> line.append((char) c));
    List<String> lines = List.of("first", line.toString(), "last");
    assertReadWhereverCut(write("a.bz2", 1, List.of(String.join("\n", lines))), lines, 5);
  }

  @Test
  void nothingIsNoLine() throws IOException {
    assertReadWhereverCut(write("a.bz2", 9, List.of("")), List.of(), 5);
    assertReadWhereverCut(
        write("b.bz2", 9, List.of("", "a\n", "", "", "b")), List.of("a", "b"), 31);
  }

  /// Before a block's content stands a map of the bytes that occur in it, 16 bits for each 16 that
  /// do: bytes can be chosen whose map is a magic number.
  @Test
  void magicNumbersInsideOfABlockAreNone() throws IOException {
    for (long magic : new long[] {0x314159265359L, 0x177245385090L}) {
      StringBuilder alphabet = new StringBuilder();
      for (int bit = 0; bit < 48; bit++) {
        if ((magic >>> (47 - bit) & 1) == 1) {
          alphabet.append((char) ('@' + bit));
        }
      }
      Random random = new Random(magic);
      List<String> lines =
          lines(
              4_000,
              _ ->
                  random
                      .ints(40, 0, alphabet.length())
                      .mapToObj(i -> alphabet.substring(i, i + 1))
                      .collect(Collectors.joining()));
      Path file = write("a.bz2", 1, List.of(String.join("\n", lines)));
      assertThat(occurrences(file, magic)).isGreaterThan(2);
      assertReadWhereverCut(file, lines, 5);
      // just before what looks like a block, and just after it
      long at = 4 + (48 + 32 + 1 + 24 + 16 + 16) / 8;
      for (long cut = at - 2; cut < at + 3; cut++) {
        List<String> both = new ArrayList<>(read(file, 0, cut));
        both.addAll(read(file, cut, Files.size(file)));
        assertThat(both).isEqualTo(lines);
      }
    }
  }

  private static int occurrences(Path file, long magic) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int count = 0;
    long register = 0;
    for (long bit = 0; bit < 8L * bytes.length; bit++) {
      register =
          (register << 1 | (bytes[(int) (bit >>> 3)] >>> (7 - (bit & 7)) & 1)) & 0xffffffffffffL;
      count += register == magic ? 1 : 0;
    }
    return count;
  }

  @Test
  void damageIsAnErrorInTheSplitThatReadsIt() throws IOException {
    Random random = new Random(3);
    List<String> lines = lines(60_000, i -> i + " " + Long.toHexString(random.nextLong()));
    Path file = write("a.bz2", 1, List.of(String.join("\n", lines)));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x10;
    Files.write(file, bytes);
    int splits = 9;
    int failed = 0;
    for (int i = 0; i < splits; i++) {
      try {
        read(file, (long) bytes.length * i / splits, (long) bytes.length * (i + 1) / splits);
      } catch (io.kiln.api.KilnException e) {
        assertThat(e).hasMessageContaining("a.bz2");
        failed++;
      }
    }
    assertThat(failed).isPositive();
    byte[] cut = java.util.Arrays.copyOf(bytes, 1000);
    Path shorter = Files.write(directory.resolve("b.bz2"), cut);
    assertThatThrownBy(() -> read(shorter, 0, 1000)).hasMessageContaining("can't read");
    Path none = Files.writeString(directory.resolve("c.bz2"), "no stream at all, but text");
    assertThatThrownBy(() -> read(none, 0, 26)).hasMessageContaining("no bzip2 stream begins");
  }

  @Test
  void aFileIsSplit() throws IOException {
    Random random = new Random(4);
    List<String> lines = lines(30_000, i -> i + " " + Long.toHexString(random.nextLong()));
    Path file = write("a.bz2", 1, List.of(String.join("\n", lines)));
    List<FileSplit> splits =
        new SplitPlanner(false).split(List.of(Local.file(file.toString(), Files.size(file))), 4);
    assertThat(splits).hasSizeBetween(4, 5);
    assertThat(splits.stream().map(s -> read(file, s.begin(), s.end())).filter(l -> !l.isEmpty()))
        .hasSizeGreaterThan(2);
    try (FileChannel channel = FileChannel.open(file);
        Bzip2Blocks blocks = new Bzip2Blocks(channel)) {
      assertThat(blocks.first(0, channel.size())).isTrue();
      int count = 1;
      while (blocks.next()) {
        count++;
      }
      assertThat(count).isGreaterThan(4);
    }
  }
}
