package io.kiln.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Where the build put what these tests run.
final class Layout {

  /// The layout as it would be installed.
  static final Path HOME = Path.of(System.getProperty("kiln.layout")).toAbsolutePath().normalize();

  /// The source tree, whose own `bin` runs the same layout.
  static final Path CHECKOUT =
      Path.of(System.getProperty("kiln.checkout")).toAbsolutePath().normalize();

  private Layout() {}

  static List<Path> jars(String directory) throws IOException {
    return jarsIn(HOME.resolve(directory));
  }

  /// Libraries for a test's application, of other versions than the engine's.
  static List<Path> testLibraries() throws IOException {
    return jarsIn(Path.of(System.getProperty("kiln.test.libraries")));
  }

  private static List<Path> jarsIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }
}
