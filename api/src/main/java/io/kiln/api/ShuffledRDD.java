package io.kiln.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// What a shuffle holds, a partition a part of its partitioner.
final class ShuffledRDD<K, V, C> extends RDD<Pair<K, C>> {
  private final Partitioner partitioner;

  ShuffledRDD(KilnContext context, ShuffleDependency<K, V, C> shuffle) {
    super(context, List.of(shuffle));
    this.partitioner = shuffle.partitioner();
  }

  static List<Partition> indexed(int size) {
    List<Partition> partitions = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      partitions.add(new IndexedPartition(i));
    }
    return partitions;
  }

  @Override
  protected List<Partition> computePartitions() {
    return indexed(partitioner.numPartitions());
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return Optional.of(partitioner);
  }

  @SuppressWarnings("unchecked") // the constructor put it there
  private Records<Pair<K, C>> read(Partition split, TaskContext task) throws Exception {
    ShuffleDependency<K, V, C> shuffle = (ShuffleDependency<K, V, C>) dependencies().get(0);
    return task.runtime().readShuffle(shuffle, split.index(), split.index() + 1);
  }

  @Override
  public Iterator<Pair<K, C>> compute(Partition split, TaskContext task) throws Exception {
    return InterruptibleSink.iterator(task, read(split, task).iterator());
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super Pair<K, C>> sink)
      throws Exception {
    read(split, task).forEach(new InterruptibleSink<>(task, sink));
  }
}
