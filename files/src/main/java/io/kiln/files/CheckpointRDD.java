package io.kiln.files;

import io.kiln.api.IndexedPartition;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import java.util.List;
import java.util.stream.IntStream;

/// The records of a checkpoint: an object file a partition, found by the partition's index alone.
final class CheckpointRDD<T> extends ObjectFileRDD<T> {
  private final String directory;
  private final int numPartitions;

  /// @param checkpointed what was written
  /// @param files of tasks
  /// @param directory absolute
  CheckpointRDD(RDD<T> checkpointed, FileSystems files, String directory) {
    super(checkpointed.context(), Input.unknown(files), checkpointed.partitioner());
    this.directory = directory;
    this.numPartitions = checkpointed.numPartitions();
  }

  @Override
  protected List<? extends Partition> computePartitions() {
    return IntStream.range(0, numPartitions).mapToObj(IndexedPartition::new).toList();
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return List.of();
  }

  @Override
  FileSplit file(Partition split) {
    String file = FileSystem.child(directory, PartFile.name(split.index()));
    return new FileSplit(split.index(), file, 0, Long.MAX_VALUE);
  }
}
