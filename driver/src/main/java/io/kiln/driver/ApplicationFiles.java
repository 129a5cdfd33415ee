package io.kiln.driver;

import io.kiln.api.KilnException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The files and jars that were given to the context. Files are copied into a directory of the
/// application that is removed at its end; jars serve from where they are. Thread-safe.
///
/// What was added once under a name stays: adding the same path again does nothing.
final class ApplicationFiles implements AutoCloseable {
  private final Path directory;
  private final ApplicationLoader loader;
  private final Map<String, URI> files = new LinkedHashMap<>();
  private final Map<String, URI> jars = new LinkedHashMap<>();

  /// @param directory made when first needed
  ApplicationFiles(Path directory, ApplicationLoader loader) {
    this.directory = directory;
    this.loader = loader;
  }

  Path directory() {
    return directory;
  }

  /// @throws KilnException `INPUT_PATH_MISSING`, or `FILE_NOT_ADDED` if it can't be copied
  synchronized void addFile(String path, boolean recursive) {
    if (!files.containsKey(path)) {
      Path source = source(path);
      if (Files.isDirectory(source) && !recursive) {
        throw notAdded(path, "it is a directory; ask for it to be added recursively", null);
      }
      files.put(path, copy(path, source, directory));
    }
  }

  /// The jar's classes are found by tasks from now on.
  ///
  /// @throws KilnException `INPUT_PATH_MISSING`
  synchronized void addJar(String path) {
    if (!jars.containsKey(path)) {
      URI jar = source(path).toAbsolutePath().normalize().toUri();
      jars.put(path, jar);
      loader.add(jar);
    }
  }

  synchronized List<URI> files() {
    return new ArrayList<>(files.values());
  }

  synchronized List<URI> jars() {
    return new ArrayList<>(jars.values());
  }

  private static Path source(String path) {
    Path source;
    if (path.startsWith("file:")) {
      source = Path.of(URI.create(path));
    } else if (path.contains("://")) {
      throw notAdded(path, "only local files can be added; download it first", null);
    } else {
      source = Path.of(path);
    }
    if (!Files.exists(source)) {
      throw new KilnException(
          "INPUT_PATH_MISSING",
          KilnException.Kind.USER,
          "can't add " + path + ": there is no such file; check the path");
    }
    return source;
  }

  private static URI copy(String path, Path source, Path directory) {
    Path target = directory.resolve(source.toAbsolutePath().normalize().getFileName());
    if (Files.exists(target)) {
      throw notAdded(path, "another file of this name was added before; rename it", null);
    }
    try {
      Files.createDirectories(directory);
      copyTree(source, target);
    } catch (IOException e) {
      throw notAdded(path, "copying it to " + target + " failed: " + e, e);
    }
    return target.toUri();
  }

  private static void copyTree(Path source, Path target) throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(inTarget(folder));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, inTarget(file), StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }

          private Path inTarget(Path path) {
            return target.resolve(source.relativize(path).toString());
          }
        });
  }

  private static KilnException notAdded(String path, String why, Throwable cause) {
    return new KilnException(
        "FILE_NOT_ADDED", KilnException.Kind.USER, "can't add " + path + ": " + why, cause);
  }

  /// Removes the directory. Idempotent.
  ///
  /// @throws IOException if something stays
  @Override
  public synchronized void close() throws IOException {
    try {
      loader.close();
    } finally {
      if (Files.exists(directory)) {
        removeTree(directory);
      }
    }
  }

  private static void removeTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
