package io.kiln.files;

import io.kiln.base.filesystem.FileStatus;
import java.util.ArrayList;
import java.util.List;

/// Cuts files into splits the way of Hadoop's `FileInputFormat`: a split is as large as the total
/// divided by the wanted number, but at most a block; the last split of a file may be a tenth
/// larger, so that no tiny rest is left.
///
/// @param keepEmpty whether an empty file has a split of its own or none
record SplitPlanner(boolean keepEmpty) {
  private static final double LAST_SPLIT_SLACK = 1.1;

  /// Splits at any byte; a compressed file is one split, unless its blocks can be found.
  List<FileSplit> split(List<FileStatus> files, int minPartitions) {
    return split(files, minPartitions, 1, true);
  }

  /// Splits at multiples of `unitBytes`, whatever a file's name says of compression.
  List<FileSplit> splitAtMultiples(List<FileStatus> files, int minPartitions, int unitBytes) {
    return split(files, minPartitions, unitBytes, false);
  }

  private List<FileSplit> split(
      List<FileStatus> files, int minPartitions, int unitBytes, boolean compressedWhole) {
    long total = files.stream().mapToLong(FileStatus::sizeBytes).sum();
    long goal = total / Math.max(1, minPartitions);
    List<FileSplit> splits = new ArrayList<>();
    for (FileStatus file : files) {
      long splitBytes = Math.max(1, Math.min(goal, file.blockBytes()));
      splitBytes = Math.max(unitBytes, splitBytes / unitBytes * unitBytes);
      boolean whole =
          compressedWhole
              && Compression.ofPath(file.path()).filter(c -> !c.isSplittable()).isPresent();
      addSplits(file, whole ? file.sizeBytes() : splitBytes, splits);
    }
    return splits;
  }

  private void addSplits(FileStatus file, long splitBytes, List<FileSplit> splits) {
    long size = file.sizeBytes();
    if (size == 0) {
      if (keepEmpty) {
        splits.add(new FileSplit(splits.size(), file.path(), 0, 0));
      }
      return;
    }
    long begin = 0;
    while ((double) (size - begin) / splitBytes > LAST_SPLIT_SLACK) {
      splits.add(new FileSplit(splits.size(), file.path(), begin, begin + splitBytes));
      begin += splitBytes;
    }
    splits.add(new FileSplit(splits.size(), file.path(), begin, size));
  }
}
