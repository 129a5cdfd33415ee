package io.kiln.dist;

import static java.util.Map.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The distribution as one user has it: its large parts are links, what it writes is its own, and
/// so is the user's home.
///
/// @param directory of the installation
/// @param home of the user
record Installation(Path directory, Path home) {

  private static final List<String> COPIED = List.of("bin", "sbin", "conf", "docker", "systemd");

  static Installation in(Path parent) throws IOException {
    Path directory = Files.createDirectory(parent.resolve("kiln"));
    try (Stream<Path> parts = Files.list(Layout.HOME)) {
      for (Path part : parts.toList()) {
        Path here = directory.resolve(part.getFileName());
        if (COPIED.contains(part.getFileName().toString())) {
          Files.createDirectory(here);
          try (Stream<Path> files = Files.list(part)) {
            for (Path file : files.toList()) {
              Files.copy(file, here.resolve(file.getFileName()));
            }
          }
        } else {
          Files.createSymbolicLink(here, part);
        }
      }
    }
    return new Installation(directory, Files.createDirectory(parent.resolve("home")));
  }

  /// Of a shell of the user's.
  Map<String, String> environment() {
    String java = System.getProperty("java.home");
    return Map.ofEntries(
        entry("JAVA_HOME", java),
        entry("PATH", java + "/bin:" + System.getenv("PATH")),
        entry("HOME", home.toString()),
        // Which the JDK would take from the system's list of users.
        entry("JAVA_TOOL_OPTIONS", "-Duser.home=" + home),
        // A network of one's own has no other address.
        entry("SPARK_LOCAL_IP", "127.0.0.1"),
        // That a machine is busy is no fault of a page.
        entry("SPARK_START_SECONDS", "100"),
        entry("SPARK_STOP_SECONDS", "100"));
  }
}
