package io.kiln.api;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// Where the files are that [KilnContext#addFile] was given: in a task, on its executor's disk; in
/// the driver, where they came from.
public final class KilnFiles {

  private KilnFiles() {}

  /// The local path of an added file.
  ///
  /// @param name the last part of the path that was added
  /// @throws KilnException `FILE_NOT_ADDED` in the driver, if no running context was given such a
  /// local file
  public static Path get(String name) {
    return TaskContext.current()
        .map(task -> task.runtime().filesDirectory().resolve(name))
        .orElseGet(() -> inDriver(name));
  }

  /// The directory that holds them. In tasks only.
  ///
  /// @throws IllegalStateException outside tasks
  public static Path rootDirectory() {
    return TaskContext.current()
        .map(task -> task.runtime().filesDirectory())
        .orElseThrow(
            () -> new IllegalStateException("the files' directory is known in tasks only"));
  }

  private static Path inDriver(String name) {
    List<URI> files =
        KilnContext.active().map(context -> context.engine().files()).orElse(List.of());
    for (URI file : files) {
      if ("file".equals(file.getScheme()) && file.getPath() != null) {
        Path path = Path.of(file.getPath());
        if (path.endsWith(name)) {
          return path;
        }
      }
    }
    throw new KilnException(
        "FILE_NOT_ADDED",
        KilnException.Kind.USER,
        "no local file '" + name + "' was added to a running context; call addFile first");
  }
}
