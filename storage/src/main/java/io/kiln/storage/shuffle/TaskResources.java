package io.kiln.storage.shuffle;

import io.kiln.api.listener.TaskMetrics;
import io.kiln.api.listener.TaskMetrics.ShuffleWrite;
import io.kiln.api.listener.TaskMetrics.Spill;
import io.kiln.api.listener.TaskMetrics.Times;
import io.kiln.process.disk.DiskFileWriter;
import io.kiln.process.disk.LocalDirectories;
import io.kiln.shuffle.NewOutput;
import io.kiln.shuffle.ShuffleStore;
import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.compression.FrameFormat;
import io.kiln.storage.memory.TaskMemory;
import io.kiln.storage.serializer.ObjectSerializer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What the tables, sorts and writers of one task work with. Used by the task's thread; spills may
/// be written, and the counts read, by any.
public final class TaskResources implements AutoCloseable {
  private static final String SPILLS = "spills";

  private final long taskAttemptId;
  private final TaskMemory memory;
  private final LocalDirectories directories;
  private final ObjectSerializer serializer;
  private final CompressionOptions compression;
  private final int diskWriteBufferBytes;
  private final List<Runnable> endActions = new ArrayList<>();
  private final List<Path> spills = Collections.synchronizedList(new ArrayList<>());
  private final List<DiskFileWriter> openFiles = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger nextFile = new AtomicInteger();

  private final ReadCounts read = new ReadCounts();
  final AtomicLong recordsWritten = new AtomicLong();
  final AtomicLong bytesWritten = new AtomicLong();
  final AtomicLong writeNanos = new AtomicLong();
  final AtomicLong memorySpilled = new AtomicLong();
  final AtomicLong diskSpilled = new AtomicLong();

  public TaskResources(
      long taskAttemptId,
      TaskMemory memory,
      LocalDirectories directories,
      ObjectSerializer serializer,
      CompressionOptions compression,
      int diskWriteBufferBytes) {
    this.taskAttemptId = taskAttemptId;
    this.memory = memory;
    this.directories = directories;
    this.serializer = serializer;
    this.compression = compression;
    this.diskWriteBufferBytes = diskWriteBufferBytes;
  }

  long taskAttemptId() {
    return taskAttemptId;
  }

  public TaskMemory memory() {
    return memory;
  }

  ObjectSerializer serializer() {
    return serializer;
  }

  public FrameFormat shuffleFormat() {
    return compression.shuffleFormat();
  }

  FrameFormat spillFormat() {
    return compression.spillFormat();
  }

  public DiskFileWriter newSpill() {
    Path path =
        directories.newFile(SPILLS, "task-" + taskAttemptId + "-" + nextFile.getAndIncrement());
    spills.add(path);
    DiskFileWriter file = new DiskFileWriter(path, diskWriteBufferBytes);
    openFiles.add(file);
    return file;
  }

  NewOutput newOutput(ShuffleStore store, int shuffleId, int numPartitions) {
    NewOutput output = new NewOutput(store, shuffleId, numPartitions, diskWriteBufferBytes);
    openFiles.add(output.data());
    return output;
  }

  /// Called when the task ends, before its files are removed.
  public void atEnd(Runnable action) {
    endActions.add(action);
  }

  /// What has been read of shuffles.
  public ReadCounts read() {
    return read;
  }

  /// The file needs no looking after any more: it was completed or dropped.
  public void settled(DiskFileWriter file) {
    openFiles.remove(file);
  }

  public void removeSpill(Path path) {
    LocalDirectories.removeFile(path);
    spills.remove(path);
  }

  /// What has been used so far. Thread-safe.
  public TaskMetrics metrics() {
    return new TaskMetrics(
        Times.NONE,
        0,
        memory.peakBytes(),
        read.soFar(),
        new ShuffleWrite(recordsWritten.get(), bytesWritten.get(), writeNanos.get()),
        new Spill(memorySpilled.get(), diskSpilled.get()));
  }

  /// Removes spills and incomplete files. Idempotent.
  @Override
  public void close() {
    endActions.forEach(Runnable::run);
    endActions.clear();
    openFiles.forEach(DiskFileWriter::abort);
    openFiles.clear();
    spills.forEach(LocalDirectories::removeFile);
    spills.clear();
    memory.close();
  }
}
