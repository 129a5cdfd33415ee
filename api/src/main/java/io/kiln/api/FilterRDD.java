package io.kiln.api;

import io.kiln.api.function.Predicate;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/// The records that a predicate accepts, with their parent's partitioner.
final class FilterRDD<T> extends RDD<T> {
  private final Predicate<? super T> predicate;
  private final Partitioner partitioner;

  FilterRDD(RDD<T> parent, Predicate<? super T> predicate) {
    super(parent.context(), List.of(new OneToOneDependency<>(parent)));
    this.predicate = predicate;
    this.partitioner = parent.partitioner().orElse(null);
  }

  @Override
  protected List<Partition> computePartitions() {
    return parent(0).partitions();
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return Optional.ofNullable(partitioner);
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) throws Exception {
    RDD<T> parent = parent(0);
    return new FilteredIterator<>(parent.iterator(split, task), predicate);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    RDD<T> parent = parent(0);
    Predicate<? super T> wanted = predicate;
    parent.forEachRecord(split, task, value -> !wanted.test(value) || sink.accept(value));
  }

  private static final class FilteredIterator<T> implements Iterator<T> {
    private final Iterator<T> records;
    private final Predicate<? super T> predicate;
    private T ahead;
    private boolean isAhead;

    FilteredIterator(Iterator<T> records, Predicate<? super T> predicate) {
      this.records = records;
      this.predicate = predicate;
    }

    @Override
    public boolean hasNext() {
      while (!isAhead && records.hasNext()) {
        T value = records.next();
        try {
          if (predicate.test(value)) {
            ahead = value;
            isAhead = true;
          }
        } catch (Exception e) {
          throw Unchecked.sneak(e);
        }
      }
      return isAhead;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      T value = ahead;
      ahead = null;
      isAhead = false;
      return value;
    }
  }
}
