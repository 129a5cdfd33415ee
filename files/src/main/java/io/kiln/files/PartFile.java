package io.kiln.files;

import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Locale;

/// The file that one task attempt writes for a [DirectoryOutput]. [#commit] keeps it; closed
/// without, it is deleted. Used by the task's thread.
final class PartFile implements Closeable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /// What a task reports: the name under which the job commit finds the part, and the name that it
  /// gets.
  record Committed(String committedName, String finalName) implements Serializable {}

  private final FileSystem files;
  private final String jobDirectory;
  private final String attemptFile;
  private final OutputStream out;
  private final Content content = new Content();
  private final Committed committed;
  private boolean isOpen = true;

  /// @param extension of the file's name, with its dot; may be empty
  static PartFile create(
      FileSystems systems, String jobDirectory, String extension, TaskContext task) {
    FileSystem files = systems.at(jobDirectory);
    String file = FileSystem.child(jobDirectory, "attempt-" + task.taskAttemptId());
    try {
      OutputStream out = files.create(file);
      String name = name(task.partitionId());
      Committed committed = new Committed(name + "-" + task.taskAttemptId(), name + extension);
      return new PartFile(files, jobDirectory, file, out, committed);
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(file, e);
    }
  }

  /// Of the part of a partition, without extension.
  static String name(int partition) {
    return String.format(Locale.ROOT, "part-%05d", partition);
  }

  private PartFile(
      FileSystem files,
      String jobDirectory,
      String attemptFile,
      OutputStream out,
      Committed committed) {
    this.files = files;
    this.jobDirectory = jobDirectory;
    this.attemptFile = attemptFile;
    this.out = out;
    this.committed = committed;
  }

  /// What is written here becomes the file's content. To be closed or not: the file stays open
  /// until [#commit].
  OutputStream content() {
    return content;
  }

  Committed commit() {
    content.flush();
    try {
      out.close();
      files.rename(attemptFile, FileSystem.child(jobDirectory, committed.committedName()));
      isOpen = false;
      return committed;
    } catch (IOException e) {
      throw FileFailure.outputUnwritable(attemptFile, e);
    }
  }

  @Override
  public void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    try {
      giveUp();
      files.remove(attemptFile);
    } catch (IOException e) {
      throw FileFailure.undeletable(attemptFile, e);
    }
  }

  /// Before it is removed, as some file systems only close what is there.
  private void giveUp() {
    try {
      out.close();
    } catch (IOException e) {
      return; // nobody misses what was not written, and the job may have removed it all
    }
  }

  /// Buffers, and turns errors of the file into the module's own.
  private final class Content extends OutputStream {
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int count;

    @Override
    public void write(int value) {
      if (count == buffer.length) {
        flush();
      }
      buffer[count++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > buffer.length - count) {
        flush();
        if (length >= buffer.length) {
          writeThrough(bytes, offset, length);
          return;
        }
      }
      System.arraycopy(bytes, offset, buffer, count, length);
      count += length;
    }

    @Override
    public void flush() {
      writeThrough(buffer, 0, count);
      count = 0;
    }

    private void writeThrough(byte[] bytes, int offset, int length) {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw FileFailure.outputUnwritable(attemptFile, e);
      }
    }
  }
}
