package io.kiln.files;

import io.kiln.base.resource.Glob;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Looks up, in the driver, which files an input path names: a file, the files of a directory, or
/// what a glob matches; several separated by commas.
///
/// Files whose name begins with `_` or `.` are left out, unless they are named. The order is that
/// of the list, then of the paths.
final class InputPaths {
  private final Nested nested;

  /// What becomes of directories inside a directory.
  enum Nested {
    /// Their files are read too.
    READ,
    /// They are left out.
    SKIP,
    REFUSE
  }

  InputPaths(Nested nested) {
    this.nested = nested;
  }

  /// @throws io.kiln.api.KilnException `INPUT_PATH_MISSING` if a path of the list names nothing
  List<InputFile> lookUp(String paths) {
    List<InputFile> files = new ArrayList<>();
    for (String path : Glob.splitAtCommas(paths)) {
      if (path.isBlank()) {
        throw FileFailure.badPattern(paths, "a path is empty");
      }
      lookUpOne(path.strip(), files);
    }
    return files;
  }

  private void lookUpOne(String path, List<InputFile> files) {
    String absolute = LocalPath.absolute(path);
    Path named = Path.of(absolute);
    if (Files.exists(named)) {
      addFiles(named, true, files);
      return;
    }
    List<Path> matches = find(absolute);
    if (matches.isEmpty()) {
      throw Glob.isPattern(absolute)
          ? FileFailure.patternMatchesNothing(absolute)
          : FileFailure.inputMissing(absolute);
    }
    for (Path match : matches) {
      addFiles(match, true, files);
    }
  }

  private static List<Path> find(String pattern) {
    try {
      return Glob.find(pattern, InputPaths::isHidden);
    } catch (IllegalArgumentException e) {
      throw FileFailure.badPattern(pattern, e.getMessage());
    } catch (IOException e) {
      throw FileFailure.unreadable(pattern, e);
    }
  }

  private void addFiles(Path path, boolean named, List<InputFile> files) {
    if (!Files.isDirectory(path)) {
      files.add(new InputFile(path.toString(), size(path)));
      return;
    }
    if (!named && nested == Nested.SKIP) {
      return;
    }
    if (!named && nested == Nested.REFUSE) {
      throw FileFailure.nestedDirectory(path.toString());
    }
    for (Path child : list(path)) {
      if (!isHidden(child.getFileName().toString())) {
        addFiles(child, false, files);
      }
    }
  }

  private static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".");
  }

  private static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw FileFailure.unreadable(path.toString(), e);
    }
  }

  private static List<Path> list(Path directory) {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(children::add);
    } catch (IOException e) {
      throw FileFailure.unreadable(directory.toString(), e);
    }
    Collections.sort(children);
    return children;
  }
}
