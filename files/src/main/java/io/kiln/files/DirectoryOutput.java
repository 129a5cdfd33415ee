package io.kiln.files;

import io.kiln.base.resource.FileTree;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
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

  private final Path directory;
  private final Path jobDirectory;
  private final Path firstCreated;
  private final boolean existed;

  /// Creates the directory.
  ///
  /// @param path absolute
  /// @param mayExist whether a directory that is there is added to, or is an error
  /// @throws io.kiln.api.KilnException `OUTPUT_PATH_EXISTS`, `OUTPUT_WRITE_FAILED`
  static DirectoryOutput create(String path, boolean mayExist) {
    return new DirectoryOutput(Path.of(path), mayExist);
  }

  private DirectoryOutput(Path directory, boolean mayExist) {
    this.directory = directory;
    this.jobDirectory = directory.resolve(TEMPORARY).resolve(UUID.randomUUID().toString());
    this.existed = Files.exists(directory);
    if (existed && !(mayExist && Files.isDirectory(directory))) {
      throw FileFailure.outputExists(directory.toString());
    }
    this.firstCreated = firstMissing(directory);
    try {
      if (!existed) {
        Path parent = directory.getParent();
        Files.createDirectories(parent == null ? directory : parent);
        Files.createDirectory(directory);
      }
      Files.createDirectories(jobDirectory);
    } catch (FileAlreadyExistsException e) {
      throw e.getFile().equals(directory.toString())
          ? FileFailure.outputExists(directory.toString())
          : FileFailure.outputUnwritable(directory.toString(), e);
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(directory.toString(), e);
    }
  }

  private static Path firstMissing(Path directory) {
    Path missing = directory;
    for (Path above = directory.getParent();
        above != null && !Files.exists(above);
        above = above.getParent()) {
      missing = above;
    }
    return missing;
  }

  /// Where the tasks of this job write.
  String jobDirectory() {
    return jobDirectory.toString();
  }

  /// Puts the parts in their places and writes `_SUCCESS`.
  void commit(List<PartFile.Committed> parts) {
    try {
      for (PartFile.Committed part : parts) {
        Files.move(
            jobDirectory.resolve(part.committedName()),
            directory.resolve(part.finalName()),
            StandardCopyOption.ATOMIC_MOVE);
      }
      deleteTemporary();
      Files.write(directory.resolve(SUCCESS), new byte[0]);
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(directory.toString(), e);
    }
  }

  /// Removes what the job has written, and the directories that it made.
  void abort() {
    try {
      if (existed) {
        deleteTemporary();
        return;
      }
      FileTree.remove(directory);
      for (Path made = directory;
          !made.equals(firstCreated) && made.getParent() != null;
          made = made.getParent()) {
        Files.deleteIfExists(made.getParent());
      }
    } catch (DirectoryNotEmptyException e) {
      return; // a directory above was put to use by others meanwhile
    } catch (IOException e) {
      throw FileFailure.undeletable(directory.toString(), e);
    }
  }

  private void deleteTemporary() throws IOException {
    FileTree.remove(jobDirectory);
    try {
      Files.deleteIfExists(directory.resolve(TEMPORARY));
    } catch (DirectoryNotEmptyException e) {
      return; // another job writes to the same directory
    }
  }
}
