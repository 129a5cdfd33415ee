package io.kiln.files;

import io.kiln.api.KilnContext;
import io.kiln.api.Partition;
import io.kiln.api.RDD;
import io.kiln.api.Sink;
import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystems;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The lines of files, a split a partition.
final class TextFileRDD extends RDD<String> {
  private final transient Input<FileSplit> input;
  private final FileSystems files;

  TextFileRDD(KilnContext context, Input<FileSplit> input) {
    super(context, List.of());
    this.input = input;
    this.files = input.files();
  }

  @Override
  protected List<FileSplit> computePartitions() {
    return input.partitions();
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return input.hosts(split.index());
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super String> sink)
      throws Exception {
    try (LineReader lines = LineReader.open(files, (FileSplit) split)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        task.throwIfInterrupted();
        if (!sink.accept(line)) {
          return;
        }
      }
    }
  }

  @Override
  public Iterator<String> compute(Partition split, TaskContext task) {
    return new Lines(files, (FileSplit) split, task);
  }

  /// Opens the file when first asked; closes it at its end, or with the task.
  private static final class Lines implements Iterator<String> {
    private final FileSystems files;
    private final FileSplit split;
    private final TaskContext task;
    private LineReader lines;
    private String next;
    private boolean ended;

    Lines(FileSystems files, FileSplit split, TaskContext task) {
      this.files = files;
      this.split = split;
      this.task = task;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !ended) {
        advance();
      }
      return next != null;
    }

    @Override
    public String next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more lines");
      }
      String line = next;
      next = null;
      return line;
    }

    private void advance() {
      if (lines == null) {
        lines = LineReader.open(files, split);
        task.onCompletion(lines::close);
      }
      task.throwIfInterrupted();
      next = lines.next();
      if (next == null) {
        ended = true;
        lines.close();
      }
    }
  }
}
