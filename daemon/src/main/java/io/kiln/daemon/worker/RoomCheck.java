package io.kiln.daemon.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks whether the directories of a worker have room for what the next process writes. Used by
/// any thread.
final class RoomCheck {
  private static final Logger LOG = LoggerFactory.getLogger(RoomCheck.class);
  private static final int MEBIBYTE_SHIFT = 20;

  private final List<Path> directories;
  private final long minFreeBytes;
  private String last = "";

  /// @param directories of this worker alone
  /// @param minFreeBytes that each file system must have
  RoomCheck(List<Path> directories, long minFreeBytes) {
    this.directories = List.copyOf(directories);
    this.minFreeBytes = minFreeBytes;
  }

  /// @return why there is none, in one line; empty if there is
  synchronized String trouble() {
    String found = look();
    if (found.isEmpty() != last.isEmpty()) {
      if (found.isEmpty()) {
        LOG.info("There is room for processes again");
      } else {
        LOG.warn("This worker takes nothing more for now: {}", found);
      }
    }
    last = found;
    return found;
  }

  private String look() {
    for (Path directory : directories) {
      try {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < minFreeBytes) {
          return "the file system of "
              + directory
              + " has "
              + (free >> MEBIBYTE_SHIFT)
              + " MiB left, of the "
              + (minFreeBytes >> MEBIBYTE_SHIFT)
              + " MiB that a worker needs (spark.kiln.worker.minFreeSpace); make room there";
        }
        WorkDirectory.probe(directory);
      } catch (IOException e) {
        return directory + " can't be written to (" + e + "); make room or give rights there";
      }
    }
    return "";
  }
}
