package io.kiln.files;

import io.kiln.api.Partition;
import io.kiln.base.filesystem.FileBlock;
import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.FileSystems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What an RDD reads, as the driver has looked it up.
///
/// @param files what tasks need to read it
/// @param places where the files lie that lie at some place, by path
record Input<P extends Partition>(
    FileSystems files, List<P> partitions, Map<String, List<FileBlock>> places) {

  static <P extends Partition> Input<P> of(
      FileSystems systems, List<FileStatus> found, List<P> partitions) {
    Map<String, List<FileBlock>> places = new HashMap<>();
    List<String> paths = new ArrayList<>(found.size());
    for (FileStatus file : found) {
      paths.add(file.path());
      if (!file.blocks().isEmpty()) {
        places.put(file.path(), file.blocks());
      }
    }
    return new Input<>(systems.forTasks(paths), partitions, places);
  }

  /// Files of which nothing is known yet.
  static <P extends Partition> Input<P> unknown(FileSystems files) {
    return new Input<>(files, List.of(), Map.of());
  }

  /// The hosts that have the most bytes of a partition.
  List<String> hosts(int partition) {
    if (places.isEmpty()) {
      return List.of();
    }
    Map<String, Long> bytes = new HashMap<>();
    switch (partitions.get(partition)) {
      case FileSplit split -> add(split.path(), split.begin(), split.end(), bytes);
      case FileGroup group ->
          group.files().forEach(file -> add(file.path(), 0, file.sizeBytes(), bytes));
      default -> {}
    }
    long most = bytes.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return bytes.entrySet().stream()
        .filter(host -> most > 0 && host.getValue() == most)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private void add(String path, long begin, long end, Map<String, Long> bytes) {
    for (FileBlock block : places.getOrDefault(path, List.of())) {
      long shared =
          Math.min(end, block.offset() + block.sizeBytes()) - Math.max(begin, block.offset());
      if (shared > 0) {
        block.hosts().forEach(host -> bytes.merge(host, shared, Long::sum));
      }
    }
  }
}
