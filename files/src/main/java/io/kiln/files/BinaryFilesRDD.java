package io.kiln.files;

import io.kiln.api.BinaryFile;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.Iterator;
import java.util.List;

/// Whole files: each one's URI and a handle to read it.
final class BinaryFilesRDD extends RDD<Pair<String, BinaryFile>> {
  private final transient Input<FileGroup> input;
  private final FileSystems files;

  BinaryFilesRDD(KilnContext context, Input<FileGroup> input) {
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
  public Iterator<Pair<String, BinaryFile>> compute(Partition split, TaskContext task) {
    Iterator<InputFile> group = ((FileGroup) split).files().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return group.hasNext();
      }

      @Override
      public Pair<String, BinaryFile> next() {
        task.throwIfInterrupted();
        String path = group.next().path();
        BinaryFile file = new NamedFile(files, path);
        return Pair.of(file.path(), file);
      }
    };
  }

  /// @param file absolute
  private record NamedFile(FileSystems files, String file) implements BinaryFile {

    @Override
    public String path() {
      return files.at(file).uri(file);
    }

    @Override
    public InputStream open() throws IOException {
      return Channels.newInputStream(files.at(file).open(file));
    }

    /// Without the settings, which may be secret.
    @Override
    public String toString() {
      return path();
    }
  }
}
