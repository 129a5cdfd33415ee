package io.kiln.shuffle;

import io.kiln.process.disk.LocalDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// The files that the map outputs of one shuffle lie in, several to a file: a million outputs are
/// not a million files. Thread-safe.
///
/// Who writes an output has a file to itself until the output is complete; the next is appended to
/// it. A file is full from [#FULL_BYTES] on. There are about as many that are not full as outputs
/// were ever written at the same time.
final class OutputFiles {

  /// A larger output fills a file alone.
  static final long FULL_BYTES = 64L << 20;

  private static final String PREFIX = "outputs-";
  private static final String SUFFIX = ".data";

  /// @param bytes of the outputs in it; without any it does not exist
  record OutputFile(Path path, long bytes) {}

  private final LocalDirectories directories;
  private final String group;
  private final AtomicInteger made = new AtomicInteger();
  private final Queue<OutputFile> notFull = new ConcurrentLinkedQueue<>();

  /// @param group the name of their directory
  OutputFiles(LocalDirectories directories, String group) {
    this.directories = directories;
    this.group = group;
  }

  static boolean isName(String name) {
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  /// A file to append to. One that is not as it was left, somebody else has changed or removed: its
  /// outputs are found missing when they are read.
  OutputFile take() {
    OutputFile file = notFull.poll();
    while (file != null && !isAsItWasLeft(file)) {
      file = notFull.poll();
    }
    return file == null
        ? new OutputFile(directories.newFile(group, PREFIX + made.incrementAndGet() + SUFFIX), 0)
        : file;
  }

  private static boolean isAsItWasLeft(OutputFile file) {
    try {
      return file.bytes() == 0 || Files.size(file.path()) == file.bytes();
    } catch (IOException e) {
      return false;
    }
  }

  /// Whatever was appended to a file that isn't given back, no more will be.
  void giveBack(OutputFile file) {
    if (file.bytes() < FULL_BYTES) {
      notFull.add(file);
    }
  }
}
