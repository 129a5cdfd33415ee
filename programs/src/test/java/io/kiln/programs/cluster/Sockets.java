package io.kiln.programs.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What Linux tells of a process's descriptors.
final class Sockets {
  private static final String LISTENING = "0A";

  private Sockets() {}

  /// The files, sockets and pipes that a process has open.
  static int openDescriptors(ProcessHandle process) {
    return targets(process).size();
  }

  /// The ports on which a process listens.
  static List<Integer> listeningPorts(ProcessHandle process) {
    Set<String> own = new HashSet<>(targets(process));
    List<Integer> ports = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : lines(Path.of("/proc/net", table))) {
        String[] fields = line.strip().split(" +");
        if (fields[3].equals(LISTENING) && own.contains("socket:[" + fields[9] + "]")) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  private static List<String> lines(Path table) {
    try {
      return Files.readAllLines(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> targets(ProcessHandle process) {
    List<String> targets = new ArrayList<>();
    try (Stream<Path> descriptors =
        Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          targets.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
          // closed meanwhile
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return targets;
  }
}
