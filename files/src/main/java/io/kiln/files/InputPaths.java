package io.kiln.files;

import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import io.kiln.base.filesystem.Glob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks up, in the driver, which files an input path names: a file, the files of a directory, or
/// what a glob matches; several separated by commas.
///
/// Files whose name begins with `_` or `.` are left out, unless they are named. The order is that
/// of the list, then of the paths.
final class InputPaths {
  private final FileSystems systems;
  private final Nested nested;

  /// What becomes of directories inside a directory.
  enum Nested {
    /// Their files are read too.
    READ,
    /// They are left out.
    SKIP,
    REFUSE
  }

  InputPaths(FileSystems systems, Nested nested) {
    this.systems = systems;
    this.nested = nested;
  }

  /// @throws io.kiln.api.KilnException `INPUT_PATH_MISSING` if a path of the list names nothing
  List<FileStatus> lookUp(String paths) {
    List<FileStatus> files = new ArrayList<>();
    for (String path : Glob.splitAtCommas(paths)) {
      if (path.isBlank()) {
        throw FileFailure.badPattern(paths, "a path is empty");
      }
      lookUpOne(path.strip(), files);
    }
    return files;
  }

  private void lookUpOne(String path, List<FileStatus> files) {
    String absolute = systems.absolute(path);
    FileSystem system = systems.at(absolute);
    List<FileStatus> matches = find(system, absolute);
    if (matches.isEmpty()) {
      throw Glob.isPattern(absolute)
          ? FileFailure.patternMatchesNothing(absolute)
          : FileFailure.inputMissing(absolute);
    }
    for (FileStatus match : matches) {
      addFiles(system, match, true, files);
    }
  }

  /// What has the very name, or else what the name as a pattern matches.
  private static List<FileStatus> find(FileSystem system, String path) {
    try {
      Optional<FileStatus> named = system.find(path);
      return named.isPresent()
          ? List.of(named.get())
          : Glob.find(system, path, InputPaths::isHidden);
    } catch (IllegalArgumentException e) {
      throw FileFailure.badPattern(path, e.getMessage());
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }

  private void addFiles(
      FileSystem system, FileStatus found, boolean named, List<FileStatus> files) {
    if (!found.isDirectory()) {
      files.add(found);
      return;
    }
    if (!named && nested == Nested.SKIP) {
      return;
    }
    if (!named && nested == Nested.REFUSE) {
      throw FileFailure.nestedDirectory(found.path());
    }
    for (FileStatus child : list(system, found.path())) {
      addFiles(system, child, false, files);
    }
  }

  private static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".");
  }

  private static List<FileStatus> list(FileSystem system, String directory) {
    try {
      return system.list(directory, name -> !isHidden(name));
    } catch (IOException e) {
      throw FileFailure.unreadable(directory, e);
    }
  }
}
