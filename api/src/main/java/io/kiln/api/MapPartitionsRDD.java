package io.kiln.api;

import io.kiln.api.function.BiFlatMapFunction;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// One partition to one partition.
final class MapPartitionsRDD<T, R> extends RDD<R> {
  private final RecordsFunction<T, R> function;
  private final Partitioner kept;
  private final boolean orderMatters;

  /// @param keepsPartitioner whether keys stay as they are
  MapPartitionsRDD(RDD<T> parent, RecordsFunction<T, R> function, boolean keepsPartitioner) {
    this(parent, function, keepsPartitioner ? parent.partitioner().orElse(null) : null, false);
  }

  /// @param partitioner that holds for the result; `null` for none
  /// @param orderMatters whether other records come out if those that go in are in another order
  MapPartitionsRDD(
      RDD<T> parent,
      RecordsFunction<T, R> function,
      Partitioner partitioner,
      boolean orderMatters) {
    super(parent.context(), List.of(new OneToOneDependency<>(parent)));
    this.function = function;
    this.kept = partitioner;
    this.orderMatters = orderMatters;
  }

  /// Of a function for which the order of the records matters.
  static <T, R> MapPartitionsRDD<T, R> ofOrdered(
      RDD<T> parent, RecordsFunction<T, R> function, boolean keepsPartitioner) {
    return new MapPartitionsRDD<>(
        parent, function, keepsPartitioner ? parent.partitioner().orElse(null) : null, true);
  }

  /// Of a user's function over iterators.
  static <T, R> MapPartitionsRDD<T, R> ofIterators(
      RDD<T> parent,
      BiFlatMapFunction<Integer, Iterator<T>, R> function,
      boolean keepsPartitioner) {
    return new MapPartitionsRDD<>(
        parent,
        (_, index, records) ->
            () -> Transformations.cast(notNull(function.apply(index, records.iterator()))),
        keepsPartitioner);
  }

  private static <I> I notNull(I results) {
    if (results == null) {
      throw new KilnException(
          "FUNCTION_RETURNED_NULL",
          KilnException.Kind.APPLICATION,
          "the function given to mapPartitions returned null; it must return an iterator, maybe an"
              + " empty one");
    }
    return results;
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
  protected Determinism outputDeterminism(List<Determinism> inputs) {
    Determinism input = super.outputDeterminism(inputs);
    return orderMatters ? input.whereOrderMatters() : input;
  }

  private Records<R> results(Partition split, TaskContext task) throws Exception {
    RDD<T> parent = parent(0);
    return function.apply(task, split.index(), parent.records(split, task));
  }

  @Override
  public Iterator<R> compute(Partition split, TaskContext task) throws Exception {
    return InterruptibleSink.iterator(task, results(split, task).iterator());
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super R> sink) throws Exception {
    results(split, task).forEach(new InterruptibleSink<>(task, sink));
  }
}
