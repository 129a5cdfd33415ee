package io.kiln.driver.cluster;

import io.kiln.executor.FatalErrors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Says in words how a process ended.
final class ProcessEnd {
  private static final int SIGNAL_BASE = 128;
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 3;
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 6, "SIGABRT", 9, "SIGKILL", 11, "SIGSEGV", 15,
          "SIGTERM");

  private ProcessEnd() {}

  /// @param stderr the process's; may be missing
  /// @return one line
  static String describe(int exitCode, Path stderr) {
    String how =
        switch (exitCode) {
          case FatalErrors.OUT_OF_MEMORY -> "it ran out of memory (exit code 52)";
          case FatalErrors.UNCAUGHT -> "an error that nobody caught ended it (exit code 50)";
          default ->
              exitCode > SIGNAL_BASE
                  ? "it was killed by "
                      + signal(exitCode - SIGNAL_BASE)
                      + " (exit code "
                      + exitCode
                      + ")"
                  : "its process ended with exit code " + exitCode;
        };
    String tail = tail(stderr);
    return exitCode > SIGNAL_BASE || tail.isEmpty() ? how : how + ": " + tail;
  }

  private static String signal(int number) {
    return SIGNALS.getOrDefault(number, "signal " + number);
  }

  /// The last lines, joined.
  private static String tail(Path stderr) {
    try (RandomAccessFile file = new RandomAccessFile(stderr.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - TAIL_BYTES));
      byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList();
      return String.join(
          " / ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
