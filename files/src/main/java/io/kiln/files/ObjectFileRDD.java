package io.kiln.files;

import io.kiln.api.KilnContext;
import io.kiln.api.Partition;
import io.kiln.api.Partitioner;
import io.kiln.api.RDD;
import io.kiln.api.Sink;
import io.kiln.api.TaskContext;
import io.kiln.base.filesystem.FileSystems;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/// The records of object files.
class ObjectFileRDD<T> extends RDD<T> {
  private final transient Input<FileSplit> input;
  private final FileSystems files;

  /// `null` if records are not placed by key: an optional doesn't travel.
  private final Partitioner placedBy;

  ObjectFileRDD(KilnContext context, Input<FileSplit> input, Optional<Partitioner> placedBy) {
    super(context, List.of());
    this.input = input;
    this.files = input.files();
    this.placedBy = placedBy.orElse(null);
  }

  @Override
  public final Optional<Partitioner> partitioner() {
    return Optional.ofNullable(placedBy);
  }

  @Override
  protected List<? extends Partition> computePartitions() {
    return input.partitions();
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return input.hosts(split.index());
  }

  /// Where the records of a partition are.
  FileSplit file(Partition split) {
    return (FileSplit) split;
  }

  @Override
  protected final void push(Partition split, TaskContext task, Sink<? super T> sink)
      throws Exception {
    try (ObjectFileReader objects = ObjectFileReader.open(files, file(split))) {
      while (objects.hasNext()) {
        task.throwIfInterrupted();
        if (!sink.accept(record(objects))) {
          return;
        }
      }
    }
  }

  @Override
  public final Iterator<T> compute(Partition split, TaskContext task) {
    ObjectFileReader objects = ObjectFileReader.open(files, file(split));
    task.onCompletion(objects::close);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return objects.hasNext();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException("no more records");
        }
        task.throwIfInterrupted();
        return record(objects);
      }
    };
  }

  @SuppressWarnings("unchecked") // the caller of objectFile says what it is
  private T record(ObjectFileReader objects) {
    return (T) objects.next();
  }
}
