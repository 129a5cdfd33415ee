package io.kiln.base.filesystem;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A tree of directories and files. Thread-safe.
///
/// Paths are absolute and free of escapes. Those of the local file system begin with `/`; all
/// others are URIs with a scheme. Names in a path are separated by `/`.
///
/// **Errors** are those of `java.nio.file` where one fits: `NoSuchFileException`,
/// `AccessDeniedException`, `FileAlreadyExistsException`, `NotDirectoryException`. The message of
/// any other is one line that says why. No call waits for ever for a server.
///
/// **What is atomic**: nobody sees a file under the new name of a rename before all of it is there.
/// Where a file system renames by copying, as object stores do, a directory is renamed file by
/// file.
public interface FileSystem {

  /// Makes what a user wrote absolute. Glob characters are untouched.
  String absolute(String path);

  /// As users are shown it: with its scheme.
  String uri(String path);

  /// @return empty if nothing is there
  Optional<FileStatus> find(String path) throws IOException;

  /// What is directly in a directory, sorted.
  ///
  /// @param wanted the names to look at
  List<FileStatus> list(String directory, Predicate<String> wanted) throws IOException;

  /// Opens a file to read.
  SeekableByteChannel open(String file) throws IOException;

  /// Creates a file, which must not be there yet, in a directory that must be there. All of it is
  /// safe when the stream is closed.
  OutputStream create(String file) throws IOException;

  /// Creates a directory, which must not be there yet, in one that must be there.
  void createDirectory(String directory) throws IOException;

  /// Creates a directory and those above it, as far as they are not there.
  void createDirectories(String directory) throws IOException;

  /// Renames a file within a directory or to another one of this file system. A file that has the
  /// new name is replaced.
  void rename(String file, String to) throws IOException;

  /// Removes a file, or a directory with all that is in it, if it is there.
  void remove(String path) throws IOException;

  /// Removes a directory, if it is there and empty.
  ///
  /// @return whether it is gone
  boolean removeIfEmpty(String directory) throws IOException;

  /// @param name of a file or directory in `directory`
  static String child(String directory, String name) {
    return directory.endsWith("/") ? directory + name : directory + "/" + name;
  }

  /// @return empty for the root
  static Optional<String> parent(String path) {
    int root = rootLength(path);
    if (path.length() <= root) {
      return Optional.empty();
    }
    return Optional.of(path.substring(0, Math.max(root, path.lastIndexOf('/'))));
  }

  /// The length of `/`, or of `scheme://authority/`.
  static int rootLength(String path) {
    int authority = path.startsWith("/") ? -1 : path.indexOf("://");
    int slash = path.indexOf('/', authority < 0 ? 0 : authority + 3);
    return slash < 0 ? path.length() : slash + 1;
  }
}
