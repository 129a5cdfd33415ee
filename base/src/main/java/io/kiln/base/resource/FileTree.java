package io.kiln.base.resource;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/// A file, or a directory with all that is in it.
public final class FileTree {
  private static final int REMOVE_ATTEMPTS = 10;

  private FileTree() {}

  /// Copies what `source` is to `target`, which must not be there yet.
  public static void copy(Path source, Path target) throws IOException {
    Path root = source.toRealPath();
    Files.walkFileTree(
        root,
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
            return target.resolve(root.relativize(path).toString());
          }
        });
  }

  /// Removes it, if it is there; links are removed, and not what they lead to.
  ///
  /// Others may remove parts of it at the same time, and may go on creating files in it for a
  /// moment: once a directory is gone they can't.
  ///
  /// @throws IOException if something stays
  public static void remove(Path root) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        removeOnce(root);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (attempt == REMOVE_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void removeOnce(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException failure)
              throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
              throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
