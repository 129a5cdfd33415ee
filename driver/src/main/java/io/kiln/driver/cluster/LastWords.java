package io.kiln.driver.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// What a process said last.
public final class LastWords {
  private static final int TAIL_BYTES = 4096;
  private static final int LINES = 3;

  private LastWords() {}

  /// The file's last lines that aren't empty, joined to one.
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
              .filter(line -> !line.isEmpty())
              .toList();
      return String.join(" / ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
