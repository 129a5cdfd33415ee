package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles the test applications as a user would, against the shared jars and a library of the
/// application's own, and packs each.
///
/// @param application the programs; some need the library
/// @param library has classes with names of classes that the engine uses
record ProbeJar(Path application, Path library) {

  static ProbeJar build(Path directory) throws IOException {
    List<Path> classPath = new ArrayList<>(Layout.jars("jars/shared"));
    Path own = compile(directory, "own", List.of("LZ4Factory", "Kryo"), classPath);
    Path library = pack(own, directory.resolve("own.jar"));
    classPath.add(library);
    Path probe =
        compile(
            directory,
            "probe",
            List.of(
                "Probe",
                "Jobs",
                "Surroundings",
                "Early",
                "Keeping",
                "OwnClasses",
                "Brought",
                "Launched",
                "Crashing"),
            classPath);
    Files.delete(probe.resolve("probe/Missing.class"));
    return new ProbeJar(pack(probe, directory.resolve("probe.jar")), library);
  }

  /// An application that uses libraries of its own, of other versions than the engine's.
  static Path withLibraries(Path directory) throws IOException {
    List<Path> classPath = new ArrayList<>(Layout.testLibraries());
    classPath.addAll(Layout.jars("jars/shared"));
    return pack(
        compile(directory, "libraries", List.of("Libraries"), classPath),
        directory.resolve("libraries.jar"));
  }

  /// An application that uses Hadoop's API and brings nothing.
  static Path withHadoop(Path directory) throws IOException {
    List<Path> classPath = new ArrayList<>(Layout.jars("jars/shared"));
    classPath.addAll(Layout.jars("jars/hadoop"));
    return pack(
        compile(directory, "hadoop", List.of("HadoopUser", "HdfsJobs"), classPath),
        directory.resolve("hadoop.jar"));
  }

  /// An application that uses every public operation of the API, whose classes are in
  /// `acceptance-classes`; and `late.jar`, which it adds to its context.
  static Path ofAcceptance(Path directory) throws IOException {
    List<Path> classPath = Layout.jars("jars/shared");
    pack(compile(directory, "late", List.of("Greeting"), classPath), directory.resolve("late.jar"));
    return pack(
        compile(directory, "acceptance", sourcesIn("acceptance"), classPath),
        directory.resolve("acceptance.jar"));
  }

  /// A cluster manager, which is compiled against the engine.
  static Path ofSampleManager(Path directory) throws IOException {
    List<Path> classPath = new ArrayList<>(Layout.jars("jars/shared"));
    classPath.addAll(Layout.jars("jars/engine"));
    Path classes = compile(directory, "sample", sourcesIn("sample"), classPath);
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(
        services.resolve("io.kiln.submit.cluster.ClusterManager"), "sample.SampleManager\n");
    Files.writeString(
        services.resolve("io.kiln.driver.cluster.ExecutorSourceProvider"),
        "sample.SampleProvider\n");
    return pack(classes, directory.resolve("sample.jar"));
  }

  private static List<String> sourcesIn(String name) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(URI.create(resource(name).toString())))) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
          .sorted()
          .toList();
    }
  }

  private static URL resource(String path) {
    return Objects.requireNonNull(ProbeJar.class.getResource("/" + path), path);
  }

  /// @return the directory of its classes
  private static Path compile(Path directory, String name, List<String> sources, List<Path> jars)
      throws IOException {
    Path classes = Files.createDirectory(directory.resolve(name + "-classes"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", classes.toString(), "-cp"));
    arguments.add(
        jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    for (String source : sources) {
      Path file = directory.resolve(source + ".java");
      try (InputStream in = resource(name + "/" + source + ".java").openStream()) {
        Files.copy(in, file);
      }
      arguments.add(file.toString());
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(failed).isZero();
    return classes;
  }

  static Path pack(Path classes, Path jar) throws IOException {
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
