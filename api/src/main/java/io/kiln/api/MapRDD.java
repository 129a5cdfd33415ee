package io.kiln.api;

import io.kiln.api.function.Function;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// One record to one record.
final class MapRDD<T, R> extends RDD<R> {
  private final Function<? super T, ? extends R> function;
  private final Partitioner kept;

  /// @param keepsPartitioner whether keys stay as they are
  MapRDD(RDD<T> parent, Function<? super T, ? extends R> function, boolean keepsPartitioner) {
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
    return new MappedIterator<>(parent.iterator(split, task), function);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super R> sink) throws Exception {
    RDD<T> parent = parent(0);
    Function<? super T, ? extends R> mapper = function;
    parent.forEachRecord(split, task, value -> sink.accept(mapper.apply(value)));
  }

  private record MappedIterator<T, R>(
      Iterator<T> records, Function<? super T, ? extends R> function) implements Iterator<R> {

    @Override
    public boolean hasNext() {
      return records.hasNext();
    }

    @Override
    public R next() {
      T value = records.next();
      try {
        return function.apply(value);
      } catch (Exception e) {
        throw Unchecked.sneak(e);
      }
    }
  }
}
