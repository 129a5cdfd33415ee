package io.kiln.files;

import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// An output directory that a job fills: all of it or nothing. The driver's side; tasks write with
/// [PartFile].
///
/// ```
///  out/_temporary/<job>/attempt-<task attempt>   a task writes its part
///                         │ task commit: rename
///  out/_temporary/<job>/part-00000-<task attempt>
///                         │ job commit: rename the parts that tasks reported
///  out/part-00000 … and at last out/_SUCCESS
/// ```
///
/// Names are unique to the task attempt, and the job commit takes only what the attempt that
/// counted has reported; so a second attempt, or one that was given up but still runs, changes
/// nothing. Used by one thread.
final class DirectoryOutput {
  private static final String TEMPORARY = "_temporary";
  private static final String SUCCESS = "_SUCCESS";

  private final FileSystem files;
  private final String directory;
  private final String jobDirectory;
  private final String firstCreated;
  private final boolean existed;

  /// Creates the directory.
  ///
  /// @param path absolute
  /// @param mayExist whether a directory that is there is added to, or is an error
  /// @throws io.kiln.api.KilnException `OUTPUT_PATH_EXISTS`, `OUTPUT_WRITE_FAILED`
  static DirectoryOutput create(FileSystems systems, String path, boolean mayExist) {
    try {
      return new DirectoryOutput(systems.at(path), path, mayExist);
    } catch (FileAlreadyExistsException e) {
      throw e.getFile().equals(path)
          ? FileFailure.outputExists(path)
          : FileFailure.outputUnwritable(path, e);
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(path, e);
    }
  }

  private DirectoryOutput(FileSystem files, String directory, boolean mayExist) throws IOException {
    this.files = files;
    this.directory = directory;
    this.jobDirectory =
        FileSystem.child(FileSystem.child(directory, TEMPORARY), UUID.randomUUID().toString());
    Optional<FileStatus> there = files.find(directory);
    this.existed = there.isPresent();
    if (existed && !(mayExist && there.get().isDirectory())) {
      throw FileFailure.outputExists(directory);
    }
    this.firstCreated = existed ? directory : firstMissing();
    if (!existed) {
      Optional<String> parent = FileSystem.parent(directory);
      if (parent.isPresent()) {
        files.createDirectories(parent.get());
      }
      files.createDirectory(directory);
    }
    files.createDirectories(jobDirectory);
  }

  private String firstMissing() throws IOException {
    String missing = directory;
    for (Optional<String> above = FileSystem.parent(directory);
        above.isPresent() && files.find(above.get()).isEmpty();
        above = FileSystem.parent(above.get())) {
      missing = above.get();
    }
    return missing;
  }

  /// Where the tasks of this job write.
  String jobDirectory() {
    return jobDirectory;
  }

  /// Puts the parts in their places and writes `_SUCCESS`.
  void commit(List<PartFile.Committed> parts) {
    try {
      for (PartFile.Committed part : parts) {
        files.rename(
            FileSystem.child(jobDirectory, part.committedName()),
            FileSystem.child(directory, part.finalName()));
      }
      deleteTemporary();
      String success = FileSystem.child(directory, SUCCESS);
      files.remove(success);
      try (OutputStream _ = files.create(success)) {}
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(directory, e);
    }
  }

  /// Removes what the job has written, and the directories that it made.
  void abort() {
    try {
      if (existed) {
        deleteTemporary();
        return;
      }
      files.remove(directory);
      String made = directory;
      while (!made.equals(firstCreated)) {
        made = FileSystem.parent(made).orElseThrow();
        if (!files.removeIfEmpty(made)) {
          return; // it was put to use by others meanwhile
        }
      }
    } catch (IOException e) {
      throw FileFailure.undeletable(directory, e);
    }
  }

  private void deleteTemporary() throws IOException {
    files.remove(jobDirectory);
    // Another job may write to the same directory.
    boolean _ = files.removeIfEmpty(FileSystem.child(directory, TEMPORARY));
  }
}
