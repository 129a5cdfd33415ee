package io.kiln.api;

import io.kiln.api.spi.CombiningMap;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// For each key of any parent, a list a parent: the values that the key has there.
///
/// A parent that is placed by `partitioner` already is read in the same task; the others are
/// shuffled.
final class CoGroupedRDD<K> extends RDD<Pair<K, List<List<Object>>>> {
  private final Partitioner partitioner;

  /// A parent's value on its way into the groups.
  private record Sourced(int source, Object value) implements Serializable {}

  CoGroupedRDD(List<RDD<Pair<K, Object>>> parents, Partitioner partitioner) {
    super(parents.get(0).context(), dependenciesOn(parents, partitioner));
    this.partitioner = partitioner;
  }

  private static <K> List<Dependency<?>> dependenciesOn(
      List<RDD<Pair<K, Object>>> parents, Partitioner partitioner) {
    List<Dependency<?>> dependencies = new ArrayList<>(parents.size());
    for (RDD<Pair<K, Object>> parent : parents) {
      if (parent.partitioner().equals(Optional.of(partitioner))) {
        dependencies.add(new OneToOneDependency<>(parent));
      } else {
        dependencies.add(ShuffleDependency.of(parent, partitioner));
      }
    }
    return dependencies;
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> partitions = new ArrayList<>(partitioner.numPartitions());
    for (int i = 0; i < partitioner.numPartitions(); i++) {
      List<Partition> members = new ArrayList<>(dependencies().size());
      for (Dependency<?> dependency : dependencies()) {
        members.add(
            switch (dependency) {
              case NarrowDependency<?> narrow -> narrow.parent().partitions().get(i);
              case ShuffleDependency<?, ?, ?> _ -> new IndexedPartition(i);
            });
      }
      partitions.add(new PartitionGroup(i, members));
    }
    return partitions;
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return Optional.of(partitioner);
  }

  private Records<Pair<K, List<List<Object>>>> groups(Partition split, TaskContext task)
      throws Exception {
    int sources = dependencies().size();
    CombiningMap<K, Sourced, List<List<Object>>> groups =
        task.runtime().combiningMap(grouping(sources));
    List<Partition> members = ((PartitionGroup) split).members();
    for (int i = 0; i < sources; i++) {
      int source = i;
      sourceRecords(source, members.get(source), task)
          .forEach(
              new InterruptibleSink<>(
                  task,
                  pair -> {
                    groups.insert(pair.key(), new Sourced(source, pair.value()));
                    return true;
                  }));
    }
    return groups.results();
  }

  @SuppressWarnings("unchecked") // the constructor put it there
  private Records<Pair<K, Object>> sourceRecords(int source, Partition member, TaskContext task)
      throws Exception {
    return switch (dependencies().get(source)) {
      case NarrowDependency<?> narrow ->
          ((NarrowDependency<Pair<K, Object>>) narrow).parent().records(member, task);
      case ShuffleDependency<?, ?, ?> shuffle ->
          task.runtime()
              .readShuffle(
                  (ShuffleDependency<K, Object, Object>) shuffle,
                  member.index(),
                  member.index() + 1);
    };
  }

  private static Aggregator<Sourced, List<List<Object>>> grouping(int sources) {
    return new Aggregator<>(
        first -> {
          List<List<Object>> lists = new ArrayList<>(sources);
          for (int i = 0; i < sources; i++) {
            lists.add(new ArrayList<>(i == first.source() ? 4 : 0));
          }
          lists.get(first.source()).add(first.value());
          return lists;
        },
        (lists, next) -> {
          lists.get(next.source()).add(next.value());
          return lists;
        },
        (left, right) -> {
          for (int i = 0; i < sources; i++) {
            left.get(i).addAll(right.get(i));
          }
          return left;
        });
  }

  @Override
  public Iterator<Pair<K, List<List<Object>>>> compute(Partition split, TaskContext task)
      throws Exception {
    return InterruptibleSink.iterator(task, groups(split, task).iterator());
  }

  @Override
  protected void push(
      Partition split, TaskContext task, Sink<? super Pair<K, List<List<Object>>>> sink)
      throws Exception {
    groups(split, task).forEach(new InterruptibleSink<>(task, sink));
  }
}
