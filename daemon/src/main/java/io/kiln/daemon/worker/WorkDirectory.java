package io.kiln.daemon.worker;

import io.kiln.base.resource.FileTree;
import io.kiln.process.ProcessDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Where a worker keeps what applications and drivers print and bring. Other workers on its machine
/// may use the same. Thread-safe.
///
/// While it lives, a worker has a directory here ([ProcessDirectory]), and it leaves that one's
/// name in the directory of each application that it runs executors of. So the next worker knows
/// those whose workers are all gone.
final class WorkDirectory implements AutoCloseable {
  private static final String WORKER = ".worker-";

  /// More than any process needs to be started.
  private static final int PROBE_BYTES = 1 << 20;

  private final Path path;
  private final Path own;

  private WorkDirectory(Path path, Path own) {
    this.path = path;
    this.own = own;
  }

  /// Sees that it can be written to.
  ///
  /// @throws IOException if not
  static WorkDirectory open(Path path) throws IOException {
    Path own = ProcessDirectory.make(ProcessDirectory.in(path, "worker"));
    try {
      probe(own);
    } catch (IOException e) {
      ProcessDirectory.remove(own);
      throw e;
    }
    return new WorkDirectory(path, own);
  }

  /// @throws IOException if there is no room
  static void probe(Path directory) throws IOException {
    Path file = directory.resolve(".probe");
    try {
      Files.write(file, new byte[PROBE_BYTES]);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  Path path() {
    return path;
  }

  /// What is there as long as this worker lives.
  Path own() {
    return own;
  }

  /// This worker runs an executor of the application, whose directory is there.
  void markUsed(String applicationId) throws IOException {
    Path mark = path.resolve(applicationId).resolve(WORKER + own.getFileName());
    if (!Files.exists(mark)) {
      try {
        Files.createFile(mark);
      } catch (FileAlreadyExistsException e) {
        return; // for another executor, at the same time
      }
    }
  }

  /// Removes the directories of applications that no worker here has anything to do with any more.
  void removeAbandoned() throws IOException {
    ProcessDirectory.clear(path);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      for (Path directory : all) {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && isAbandoned(directory)) {
          FileTree.remove(directory);
        }
      }
    }
  }

  private boolean isAbandoned(Path directory) throws IOException {
    boolean wasUsed = false;
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(directory, WORKER + "*")) {
      for (Path mark : marks) {
        wasUsed = true;
        if (Files.exists(path.resolve(mark.getFileName().toString().substring(WORKER.length())))) {
          return false;
        }
      }
    }
    return wasUsed;
  }

  /// What is in it stays.
  @Override
  public void close() throws IOException {
    ProcessDirectory.remove(own);
  }
}
