package io.kiln.files;

import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.TaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/// Whole files: each one's URI and its text, decompressed as its extension says.
final class WholeTextFilesRDD extends RDD<Pair<String, String>> {
  private final transient List<FileGroup> groups;

  WholeTextFilesRDD(KilnContext context, List<FileGroup> groups) {
    super(context, List.of());
    this.groups = groups;
  }

  @Override
  protected List<FileGroup> computePartitions() {
    return groups;
  }

  @Override
  public Iterator<Pair<String, String>> compute(Partition split, TaskContext task) {
    Iterator<InputFile> files = ((FileGroup) split).files().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return files.hasNext();
      }

      @Override
      public Pair<String, String> next() {
        task.throwIfInterrupted();
        String path = files.next().path();
        return Pair.of(LocalPath.uri(path), read(path));
      }
    };
  }

  private static String read(String path) {
    try (InputStream file = Files.newInputStream(Path.of(path));
        InputStream content = Compression.decompressed(path, file)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw FileFailure.unreadable(path, e);
    }
  }
}
