package io.kiln.api;

import io.kiln.api.function.FlatMapFunction;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/// One record to any number of records.
final class FlatMapRDD<T, R> extends RDD<R> {
  private final FlatMapFunction<? super T, ? extends R> function;
  private final Partitioner kept;

  /// @param keepsPartitioner whether keys stay as they are
  FlatMapRDD(
      RDD<T> parent, FlatMapFunction<? super T, ? extends R> function, boolean keepsPartitioner) {
    super(parent.context(), List.of(new OneToOneDependency<>(parent)));
    this.function = function;
    this.kept = keepsPartitioner ? parent.partitioner().orElse(null) : null;
  }

  @Override
  protected List<Partition> computePartitions() {
    return parent(0).partitions();
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return Optional.ofNullable(kept);
  }

  @Override
  public Iterator<R> compute(Partition split, TaskContext task) throws Exception {
    RDD<T> parent = parent(0);
    return new FlatIterator<T, R>(task, parent.iterator(split, task), function);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super R> sink) throws Exception {
    RDD<T> parent = parent(0);
    FlatMapFunction<? super T, ? extends R> mapper = function;
    parent.forEachRecord(
        split,
        task,
        value -> {
          Iterator<? extends R> results = notNull(mapper.apply(value));
          while (results.hasNext()) {
            task.throwIfInterrupted();
            if (!sink.accept(results.next())) {
              return false;
            }
          }
          return true;
        });
  }

  private static <I> I notNull(I results) {
    if (results == null) {
      throw new KilnException(
          "FUNCTION_RETURNED_NULL",
          KilnException.Kind.APPLICATION,
          "the function given to flatMap returned null; it must return an iterator, maybe an empty"
              + " one");
    }
    return results;
  }

  private static final class FlatIterator<T, R> implements Iterator<R> {
    private final TaskContext task;
    private final Iterator<T> records;
    private final FlatMapFunction<? super T, ? extends R> function;
    private Iterator<? extends R> results = Collections.emptyIterator();

    FlatIterator(
        TaskContext task, Iterator<T> records, FlatMapFunction<? super T, ? extends R> function) {
      this.task = task;
      this.records = records;
      this.function = function;
    }

    @Override
    public boolean hasNext() {
      while (!results.hasNext()) {
        if (!records.hasNext()) {
          return false;
        }
        T value = records.next();
        try {
          results = notNull(function.apply(value));
        } catch (Exception e) {
          throw Unchecked.sneak(e);
        }
      }
      return true;
    }

    @Override
    public R next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      task.throwIfInterrupted();
      return results.next();
    }
  }
}
