package io.kiln.network.transport;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Says which process of this machine listens on a port, where `/proc` tells: on Linux, of
/// processes of the same user, or of all for the superuser.
final class PortHolder {
  private static final Path PROC = Path.of("/proc");
  private static final String LISTENING = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private PortHolder() {}

  /// @return as in `process 1234 (java)`
  static Optional<String> find(int port) {
    Set<String> sockets = new HashSet<>();
    addSockets(PROC.resolve("net/tcp"), port, sockets);
    addSockets(PROC.resolve("net/tcp6"), port, sockets);
    if (sockets.isEmpty()) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        if (holds(process, sockets)) {
          return Optional.of("process " + process.getFileName() + name(process));
        }
      }
    } catch (IOException e) {
      // then nobody knows
    }
    return Optional.empty();
  }

  private static void addSockets(Path table, int port, Set<String> sockets) {
    String end = String.format(Locale.ROOT, ":%04X", port);
    try {
      for (String line : Files.readAllLines(table)) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > INODE
            && fields[STATE].equals(LISTENING)
            && fields[LOCAL_ADDRESS].endsWith(end)) {
          sockets.add("socket:[" + fields[INODE] + "]");
        }
      }
    } catch (IOException e) {
      // no Linux
    }
  }

  private static boolean holds(Path process, Set<String> sockets) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (sockets.contains(target(file))) {
          return true;
        }
      }
    } catch (IOException e) {
      // another user's, or gone
    }
    return false;
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static String name(Path process) {
    try {
      return " (" + Files.readString(process.resolve("comm")).strip() + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
