package io.kiln.files;

import io.kiln.api.Partition;
import io.kiln.base.filesystem.FileStatus;
import java.util.ArrayList;
import java.util.List;

/// Whole files that one task reads.
record FileGroup(int index, List<InputFile> files) implements Partition {
  /// What opening a file is taken to cost, so that many small files are shared out too.
  private static final long OPEN_COST_BYTES = 4096;

  FileGroup {
    files = List.copyOf(files);
  }

  /// At most `wanted` groups, in the files' order, of about the same size; no group is empty.
  static List<FileGroup> group(List<FileStatus> files, int wanted) {
    long total = 0;
    for (FileStatus file : files) {
      total += cost(file);
    }
    int groups = Math.max(1, wanted);
    List<FileGroup> result = new ArrayList<>();
    List<InputFile> current = new ArrayList<>();
    long before = 0;
    long currentGroup = 0;
    for (FileStatus file : files) {
      // The group in which the file's middle lies, if all bytes stood in a row.
      long group = (long) ((before + cost(file) / 2.0) / total * groups);
      if (group != currentGroup && !current.isEmpty()) {
        result.add(new FileGroup(result.size(), current));
        current.clear();
      }
      currentGroup = group;
      current.add(new InputFile(file.path(), file.sizeBytes()));
      before += cost(file);
    }
    if (!current.isEmpty()) {
      result.add(new FileGroup(result.size(), current));
    }
    return result;
  }

  private static long cost(FileStatus file) {
    return file.sizeBytes() + OPEN_COST_BYTES;
  }
}
