package io.kiln.api;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where the files and archives are that [KilnContext#addFile] and [KilnContext#addArchive] were
/// given: in a task on its executor's disk, elsewhere on the driver's. An archive is the directory
/// of what was in it.
public final class KilnFiles {

  private KilnFiles() {}

  /// The local path of an added file or unpacked archive.
  ///
  /// @param name the last part of the path that was added, or what followed its `#`
  /// @throws KilnException `FILE_NOT_ADDED` if no running context was given it
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

  /// The directory that holds them; made when the first is added.
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
