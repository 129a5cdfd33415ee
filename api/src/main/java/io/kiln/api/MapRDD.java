package io.kiln.api;

import io.kiln.api.function.Function;
import java.util.Iterator;
import java.util.List;

/// One record to one record.
final class MapRDD<T, R> extends RDD<R> {
  private final RDD<T> parent;
  private final Function<? super T, ? extends R> function;

  MapRDD(RDD<T> parent, Function<? super T, ? extends R> function) {
    super(parent.context(), List.of(new OneToOneDependency<>(parent)));
    this.parent = parent;
    this.function = function;
  }

  @Override
  protected List<Partition> computePartitions() {
    return parent.partitions();
  }

  @Override
  public Iterator<R> compute(Partition split, TaskContext task) throws Exception {
    Iterator<T> records = parent.iterator(split, task);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public R next() {
        return Unchecked.get(() -> function.apply(records.next()));
      }
    };
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super R> sink) throws Exception {
    parent.forEachRecord(split, task, value -> sink.accept(function.apply(value)));
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    return parent.preferredLocations(split);
  }
}
