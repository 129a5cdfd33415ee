package io.kiln.files;

import io.kiln.api.BinaryFile;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/// Whole files: each one's URI and a handle to read it.
final class BinaryFilesRDD extends RDD<Pair<String, BinaryFile>> {
  private final transient List<FileGroup> groups;

  BinaryFilesRDD(KilnContext context, List<FileGroup> groups) {
    super(context, List.of());
    this.groups = groups;
  }

  @Override
  protected List<FileGroup> computePartitions() {
    return groups;
  }

  @Override
  public Iterator<Pair<String, BinaryFile>> compute(Partition split, TaskContext task) {
    Iterator<InputFile> files = ((FileGroup) split).files().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return files.hasNext();
      }

      @Override
      public Pair<String, BinaryFile> next() {
        task.throwIfInterrupted();
        String path = files.next().path();
        return Pair.of(LocalPath.uri(path), new LocalBinaryFile(path));
      }
    };
  }

  /// @param localPath absolute
  private record LocalBinaryFile(String localPath) implements BinaryFile {

    @Override
    public String path() {
      return LocalPath.uri(localPath);
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(Path.of(localPath));
    }
  }
}
