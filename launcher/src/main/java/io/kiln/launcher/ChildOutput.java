package io.kiln.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Copies the lines that a process prints to a logger, on a virtual thread, until it prints no
/// more.
final class ChildOutput {

  /// A longer line comes in pieces, so that a child can't fill this JVM's memory.
  static final int MAX_LINE_CHARACTERS = 8 << 10;

  private ChildOutput() {}

  /// Closes the reader at its end.
  static void copy(BufferedReader output, Logger logger) {
    Thread.ofVirtual()
        .name("kiln-launcher-output")
        .start(
            () -> {
              try (output) {
                copyLines(output, logger);
              } catch (IOException e) {
                logger.log(Level.WARNING, "the rest of the process's output was lost", e);
              }
            });
  }

  static void copyLines(BufferedReader reader, Logger logger) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = reader.read(); next >= 0; next = reader.read()) {
      if (next != '\n') {
        line.append((char) next);
      }
      if (next == '\n' || line.length() == MAX_LINE_CHARACTERS) {
        logger.info(line.toString());
        line.setLength(0);
      }
    }
    if (!line.isEmpty()) {
      logger.info(line.toString());
    }
  }
}
