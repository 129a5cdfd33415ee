package io.kiln.driver.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The process's standard error, as a terminal.
public final class StandardError {
  private static final int USUAL_COLUMNS = 80;

  /// Where Linux says what standard error is.
  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/2");

  private StandardError() {}

  static ProgressBar.Terminal terminal() {
    return new ProgressBar.Terminal(System.err, StandardError::isTerminal, columns());
  }

  /// Whether a person looks at it. The console of Java speaks of standard input and output, which
  /// may be elsewhere, so it is only asked where the system does not say better.
  public static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(DESCRIPTOR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return System.console().isTerminal();
    }
  }

  private static int columns() {
    String columns = System.getenv("COLUMNS");
    if (columns == null) {
      return USUAL_COLUMNS;
    }
    try {
      return Math.max(1, Integer.parseInt(columns.trim()));
    } catch (NumberFormatException e) {
      return USUAL_COLUMNS;
    }
  }
}
