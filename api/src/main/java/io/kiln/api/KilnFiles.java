package io.kiln.api;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the files and archives that [KilnContext#addFile] and [KilnContext#addArchive] were given.
/// In a task they are on the disk of its executor; elsewhere they are on the disk of the driver. An
/// archive was unpacked: it is a directory.
public final class KilnFiles {

  private KilnFiles() {}

  /// Returns the local path of an added file, or of the directory of an unpacked archive.
  ///
  /// @param name the last part of the path that was added, or what followed its `#`
  /// @throws KilnException `FILE_NOT_ADDED` if no running context was given such a file or archive
  public static Path get(String name) {
    Optional<Path> directory = directory();
    if (directory.isPresent()) {
      Path file = directory.get().resolve(name);
      if (Files.exists(file)) {
        return file;
      }
    }
    throw new KilnException(
        "FILE_NOT_ADDED",
        KilnException.Kind.USER,
        "no file or archive '"
            + name
            + "' was added to a running context; call addFile or addArchive first, or give it by"
            + " --files or --archives");
  }

  /// Returns the directory that holds all of them. It is made when the first one is added.
  ///
  /// @throws KilnException `FILE_NOT_ADDED` in the driver, if no context is running
  public static Path rootDirectory() {
    return directory()
        .orElseThrow(
            () ->
                new KilnException(
                    "FILE_NOT_ADDED",
                    KilnException.Kind.USER,
                    "files are known to tasks and where a context is running; create one first"));
  }

  private static Optional<Path> directory() {
    Optional<TaskContext> task = TaskContext.current();
    return task.isPresent()
        ? Optional.of(task.get().runtime().filesDirectory())
        : KilnContext.active().map(context -> context.engine().filesDirectory());
  }
}
