package io.kiln.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// What a process said last: of stack traces, what was thrown and why, without the frames.
public final class LastWords {
  private static final int TAIL_BYTES = 16 << 10;
  private static final int LINES = 3;

  /// `at package.Class.method(…)`, or `... 12 more`.
  private static final Pattern FRAME = Pattern.compile("at \\S+\\(.*\\)|\\.\\.\\. \\d+ more");

  private LastWords() {}

  /// The file's last lines that are neither empty nor frames, joined to one.
  ///
  /// @return empty if there are none
  public static String of(Path file) {
    try (RandomAccessFile tail = new RandomAccessFile(file.toFile(), "r")) {
      tail.seek(Math.max(0, tail.length() - TAIL_BYTES));
      byte[] bytes = new byte[(int) (tail.length() - tail.getFilePointer())];
      tail.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !FRAME.matcher(line).matches())
              .toList();
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
