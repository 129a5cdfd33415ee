package io.kiln.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Where the parts of this installation are.
///
/// @param layout holds `jars` and `examples`; in a source checkout the build's output, elsewhere
///     the home itself
/// @param confDirectory holds `spark-defaults.conf` and the like
/// @param aotDirectory holds the caches made for the JDK that runs this; may be missing
public record Installation(Path layout, Path confDirectory, Path aotDirectory) {

  /// What `bin/spark-class` says: the system properties `kiln.layout` and `kiln.aot`, and the
  /// environment.
  static Installation fromScript(Map<String, String> environment) {
    Path layout = Path.of(System.getProperty("kiln.layout", "."));
    String conf = environment.getOrDefault("SPARK_CONF_DIR", "");
    Path home = Path.of(environment.getOrDefault("SPARK_HOME", layout.toString()));
    return new Installation(
        layout,
        conf.isEmpty() ? home.resolve("conf") : Path.of(conf),
        Path.of(System.getProperty("kiln.aot", layout.resolve("aot").toString())));
  }

  /// The class path of the engine: first what applications see too, and our own before others'
  /// jars, since a search opens every jar up to the one that has what it looks for. The order is
  /// always the same, since a JVM takes an AOT cache for exactly the class path that it was made
  /// with.
  List<Path> jars() {
    List<Path> jars = new ArrayList<>(jarsOf(layout.resolve("jars/shared")));
    jars.addAll(jarsOf(layout.resolve("jars/engine")));
    return jars;
  }

  List<Path> exampleJars() {
    return jarsOf(layout.resolve("examples/jars"));
  }

  private static List<Path> jarsOf(Path directory) {
    List<Path> ours = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path jar : found) {
        (jar.getFileName().toString().startsWith("kiln-") ? ours : others).add(jar);
      }
    } catch (IOException e) {
      throw new Refusal(
          "This installation is not whole: "
              + directory
              + " cannot be read; install or build it again");
    }
    Collections.sort(ours);
    Collections.sort(others);
    ours.addAll(others);
    return ours;
  }
}
