package io.kiln.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineReaderTest {
  private static final int LARGE = 1 << 28;

  @Property(tries = 2000)
  void splitsTogetherGiveEachLineOnceInOrder(
      @ForAll("texts") byte[] text,
      @ForAll @Size(max = 12) List<@IntRange(max = 400) Integer> cuts,
      @ForAll @IntRange(min = 1, max = 50) int readAtMost) {
    TreeSet<Integer> bounds = new TreeSet<>(List.of(0, text.length));
    cuts.stream().filter(cut -> cut < text.length).forEach(bounds::add);
    List<String> lines = new ArrayList<>();
    Integer begin = bounds.first();
    for (Integer end = bounds.higher(begin); end != null; end = bounds.higher(begin)) {
      List<String> linesOfSplit = read(text, begin, end, readAtMost, LARGE);
      assertThat(linesOfSplit).hasSize(countLinesThatBegin(text, begin, end));
      lines.addAll(linesOfSplit);
      begin = end;
    }
    assertThat(lines).isEqualTo(plainLines(text));
  }

  @Provide
  Arbitrary<byte[]> texts() {
    Arbitrary<byte[]> pieces =
        Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of("a", "bc", "plain words", "\t", "")),
                Tuple.of(2, Arbitraries.of("é", "漢字", "😀", "ß")),
                Tuple.of(4, Arbitraries.of("\n", "\r\n", "\r", "\n\n", "\r\r\n")),
                Tuple.of(1, Arbitraries.of("\uFEFF")))
            .map(piece -> piece.getBytes(UTF_8));
    Arbitrary<byte[]> malformed =
        Arbitraries.of(new byte[] {(byte) 0xC3}, new byte[] {(byte) 0xFF, (byte) 0x80});
    return Arbitraries.frequencyOf(Tuple.of(20, pieces), net.jqwik.api.Tuple.of(1, malformed))
        .list()
        .ofMaxSize(80)
        .map(LineReaderTest::join);
  }

  @Test
  void endsOfLines() {
    assertThat(wholeOf("a\nb\r\nc\rd")).containsExactly("a", "b", "c", "d");
    assertThat(wholeOf("a\n")).containsExactly("a");
    assertThat(wholeOf("a\r")).containsExactly("a");
    assertThat(wholeOf("\n\r\n\r")).containsExactly("", "", "");
    assertThat(wholeOf("")).isEmpty();
    assertThat(wholeOf("no end")).containsExactly("no end");
  }

  @Test
  void byteOrderMarkAtTheBeginningOnly() {
    assertThat(wholeOf("\uFEFFa\n\uFEFFb")).containsExactly("a", "\uFEFFb");
    assertThat(wholeOf("\uFEFF")).isEmpty();
    assertThat(wholeOf("\uFEFF\nb")).containsExactly("", "b");
    byte[] text = "\uFEFFa\nb".getBytes(UTF_8);
    for (int cut = 1; cut < text.length; cut++) {
      List<String> lines = read(text, 0, cut, 7, LARGE);
      lines.addAll(read(text, cut, text.length, 7, LARGE));
      assertThat(lines).containsExactly("a", "b");
    }
  }

  @Test
  void aLineBelongsToTheSplitWhereItBegins() {
    byte[] text = "abc\ndef\r\nghi".getBytes(UTF_8);
    assertThat(read(text, 0, 4, 100, LARGE)).containsExactly("abc");
    assertThat(read(text, 4, 8, 100, LARGE)).containsExactly("def");
    assertThat(read(text, 8, 9, 100, LARGE)).isEmpty();
    assertThat(read(text, 9, 12, 100, LARGE)).containsExactly("ghi");
    assertThat(read(text, 0, 5, 100, LARGE)).containsExactly("abc", "def");
    assertThat(read(text, 1, 4, 100, LARGE)).isEmpty();
  }

  @Test
  void malformedBytesAreReplaced() {
    byte[] text = {'a', (byte) 0xFF, 'b', '\n', 'c'};
    assertThat(read(text, 0, text.length, 100, LARGE)).containsExactly("a\uFFFDb", "c");
  }

  @Test
  void linesLongerThanTheBuffer() {
    String line = "x".repeat(1_500_000);
    assertThat(wholeOf(line + "é\r\n" + line)).containsExactly(line + "é", line);
  }

  @Test
  void aLineThatDoesNotFitIsAClearError() {
    byte[] text = ("short\n" + "x".repeat(5000)).getBytes(UTF_8);
    assertThatThrownBy(() -> read(text, 0, text.length, 100, 2000))
        .isInstanceOf(KilnException.class)
        .hasMessageContaining("memory.txt")
        .hasMessageContaining("begins at byte 6");
  }

  @Test
  void largeFileInSplitsOfAllSizes(@TempDir Path directory) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      text.append("line ").append(i).append(i % 7 == 0 ? " ü" : "").append("-".repeat(i % 60));
      text.append(i % 3 == 0 ? "\r\n" : i % 3 == 1 ? "\n" : "\r");
    }
    byte[] bytes = text.toString().getBytes(UTF_8);
    Path file = Files.write(directory.resolve("large.txt"), bytes);
    List<String> expected = plainLines(bytes);
    for (int parts : new int[] {1, 2, 3, 10, 317}) {
      List<FileSplit> splits =
          new SplitPlanner(false).split(List.of(Local.file(file.toString(), bytes.length)), parts);
      List<String> lines = new ArrayList<>();
      for (FileSplit split : splits) {
        try (LineReader reader = LineReader.open(Local.FILES, split)) {
          drain(reader, lines);
        }
      }
      assertThat(lines).isEqualTo(expected);
    }
  }

  private static List<String> wholeOf(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return read(bytes, 0, bytes.length, 1 << 20, LARGE);
  }

  private static List<String> read(
      byte[] text, int begin, int end, int readAtMost, int maxBufferBytes) {
    int from = Math.max(0, begin - 1);
    InputStream in =
        new ByteArrayInputStream(text, from, text.length - from) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(length, readAtMost));
          }
        };
    List<String> lines = new ArrayList<>();
    try (LineReader reader = new LineReader("memory.txt", in, begin, end, maxBufferBytes)) {
      drain(reader, lines);
      assertThat(reader.next()).isNull();
    }
    return lines;
  }

  private static void drain(LineReader reader, List<String> lines) {
    for (String line = reader.next(); line != null; line = reader.next()) {
      lines.add(line);
    }
  }

  /// The oracle: a byte at a time.
  private static List<String> plainLines(byte[] text) {
    List<String> lines = new ArrayList<>();
    List<Integer> begins = lineBegins(text);
    for (int i = 0; i < begins.size(); i++) {
      int begin = begins.get(i);
      int end = begin;
      while (end < text.length && text[end] != '\n' && text[end] != '\r') {
        end++;
      }
      byte[] line = Arrays.copyOfRange(text, begin, end);
      String decoded = new String(line, UTF_8);
      boolean marked = begin == 0 && decoded.startsWith("\uFEFF");
      if (!(marked && line.length == 3 && end == text.length)) {
        lines.add(marked ? decoded.substring(1) : decoded);
      }
    }
    return lines;
  }

  private static List<Integer> lineBegins(byte[] text) {
    List<Integer> begins = new ArrayList<>();
    boolean atBegin = true;
    for (int i = 0; i < text.length; i++) {
      boolean secondOfPair = i > 0 && text[i - 1] == '\r' && text[i] == '\n';
      if (atBegin && !secondOfPair) {
        begins.add(i);
      }
      atBegin = text[i] == '\n' || text[i] == '\r';
    }
    return begins;
  }

  private static int countLinesThatBegin(byte[] text, int begin, int end) {
    boolean onlyMark = text.length == 3 && new String(text, UTF_8).equals("\uFEFF");
    return onlyMark
        ? 0
        : (int) lineBegins(text).stream().filter(at -> at >= begin && at < end).count();
  }

  private static byte[] join(List<byte[]> pieces) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    pieces.forEach(joined::writeBytes);
    return joined.toByteArray();
  }
}
