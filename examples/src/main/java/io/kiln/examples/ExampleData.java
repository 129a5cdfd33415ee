package io.kiln.examples;

import io.kiln.api.KilnException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/// Finds the inputs that ship with the examples, in a distribution and in a source tree.
final class ExampleData {
  private static final String DIRECTORY = "examples/data";

  private ExampleData() {}

  /// Where the input `name` is.
  ///
  /// @throws KilnException `EXAMPLE_DATA_MISSING` if it is nowhere
  static String path(String name) {
    List<Path> places = places();
    for (Path place : places) {
      Path file = place.resolve(name);
      if (Files.exists(file)) {
        return file.toString();
      }
    }
    throw new KilnException(
        "EXAMPLE_DATA_MISSING",
        KilnException.Kind.USER,
        "can't find the example input "
            + name
            + " in any of "
            + places
            + "; set KILN_HOME, or give the path of an input as an argument");
  }

  private static List<Path> places() {
    List<Path> places = new ArrayList<>();
    addHome(System.getProperty("spark.home"), places);
    addHome(System.getenv("KILN_HOME"), places);
    addHome(System.getenv("SPARK_HOME"), places);
    for (Path above = codeLocation(); above != null; above = above.getParent()) {
      places.add(above.resolve("data"));
      places.add(above.resolve(DIRECTORY));
    }
    return places;
  }

  private static void addHome(String home, List<Path> places) {
    if (home != null && !home.isEmpty()) {
      places.add(Path.of(home).toAbsolutePath().resolve(DIRECTORY));
    }
  }

  private static Path codeLocation() {
    CodeSource source = ExampleData.class.getProtectionDomain().getCodeSource();
    if (source == null) {
      return null;
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the class path has " + source.getLocation(), e);
    }
  }
}
