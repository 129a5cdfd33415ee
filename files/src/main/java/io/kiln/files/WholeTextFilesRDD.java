package io.kiln.files;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystem;
import io.kiln.base.filesystem.FileSystems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/// Whole files: each one's URI and its text, decompressed as its extension says.
final class WholeTextFilesRDD extends RDD<Pair<String, String>> {
  private final transient Input<FileGroup> input;
  private final FileSystems files;

  WholeTextFilesRDD(KilnContext context, Input<FileGroup> input) {
    super(context, List.of());
    this.input = input;
    this.files = input.files();
  }

  @Override
  protected List<FileGroup> computePartitions() {
    return input.partitions();
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return input.hosts(split.index());
  }

  @Override
  public Iterator<Pair<String, String>> compute(Partition split, TaskContext task) {
    Iterator<InputFile> group = ((FileGroup) split).files().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return group.hasNext();
      }

      @Override
      public Pair<String, String> next() {
        task.throwIfInterrupted();
        String path = group.next().path();
        return Pair.of(files.at(path).uri(path), read(path));
      }
    };
  }

  private String read(String path) {
    FileSystem system = files.at(path);
    try (InputStream file = Channels.newInputStream(system.open(path));
        InputStream content = Compression.decompressed(path, file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }
}
