package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles the test application as a user would, against the shared jars alone, and packs it.
final class ProbeJar {

  private ProbeJar() {}

  static Path build(Path directory) throws IOException {
    Path source = directory.resolve("Probe.java");
    try (InputStream in = ProbeJar.class.getResourceAsStream("/probe/Probe.java")) {
      Files.copy(in, source);
    }
    Path classes = Files.createDirectory(directory.resolve("classes"));
    String classPath =
        Layout.jars("jars/shared").stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "-cp", classPath, source.toString());
    assertThat(failed).isZero();
    Files.delete(classes.resolve("probe/Missing.class"));
    Path jar = directory.resolve("probe.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (Path file : classFiles(classes)) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, entries);
      }
    }
    return jar;
  }

  private static List<Path> classFiles(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
