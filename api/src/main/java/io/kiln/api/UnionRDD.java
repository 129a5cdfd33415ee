package io.kiln.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The partitions of its parents, one parent's after another's.
final class UnionRDD<T> extends RDD<T> {

  /// @param source which parent
  /// @param partition of that parent
  private record UnionPartition(int index, int source, Partition partition) implements Partition {}

  UnionRDD(KilnContext context, List<RDD<T>> parents) {
    super(context, dependenciesOn(parents));
  }

  private static <T> List<Dependency<?>> dependenciesOn(List<RDD<T>> parents) {
    List<Dependency<?>> dependencies = new ArrayList<>(parents.size());
    int start = 0;
    for (RDD<T> parent : parents) {
      dependencies.add(new RangeDependency<>(parent, 0, start, parent.numPartitions()));
      start += parent.numPartitions();
    }
    return dependencies;
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> partitions = new ArrayList<>();
    for (int source = 0; source < dependencies().size(); source++) {
      for (Partition partition : parent(source).partitions()) {
        partitions.add(new UnionPartition(partitions.size(), source, partition));
      }
    }
    return partitions;
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) throws Exception {
    UnionPartition part = (UnionPartition) split;
    RDD<T> parent = parent(part.source());
    return parent.iterator(part.partition(), task);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    UnionPartition part = (UnionPartition) split;
    RDD<T> parent = parent(part.source());
    parent.forEachRecord(part.partition(), task, sink);
  }

  @Override
  protected List<String> computePreferredLocations(Partition split) {
    UnionPartition part = (UnionPartition) split;
    return parent(part.source()).preferredLocations(part.partition());
  }
}
