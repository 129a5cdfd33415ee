package io.kiln.executor.process;

import io.kiln.api.KilnException;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A class path as on a command line: jars, directories, and `DIRECTORY/*` for all jars in one.
/// What isn't there is passed over, as a JVM does.
final class ExtraClassPath {
  private ExtraClassPath() {}

  /// @throws KilnException `SETTING_INVALID`
  static List<URL> of(String text) {
    List<URL> urls = new ArrayList<>();
    for (String entry : text.split(File.pathSeparator, -1)) {
      try {
        if (entry.endsWith("*")) {
          addJars(Path.of(entry.substring(0, entry.length() - 1)), urls);
        } else if (!entry.isEmpty()) {
          urls.add(Path.of(entry).toUri().toURL());
        }
      } catch (IOException | IllegalArgumentException e) {
        throw new KilnException(
            "SETTING_INVALID",
            KilnException.Kind.USER,
            "spark.executor.extraClassPath has the entry '"
                + entry
                + "', which can't be used: "
                + e,
            e);
      }
    }
    return urls;
  }

  private static void addJars(Path directory, List<URL> urls) throws IOException {
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
        for (Path jar : jars) {
          urls.add(jar.toUri().toURL());
        }
      }
    }
  }
}
