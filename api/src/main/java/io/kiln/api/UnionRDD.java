package io.kiln.api;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// The partitions of its parents, one parent's after another's.
///
/// A union of unions is as cheap, to plan and to read, as one union of all that they are of: a
/// partition knows only its number and the partition that is no union's, and finds its way by the
/// number.
final class UnionRDD<T> extends RDD<T> {
  private final int size;

  /// @param origin of the first parent, on the way to the records, that is no union
  private record UnionPartition(int index, Partition origin) implements Partition {}

  UnionRDD(KilnContext context, List<RDD<T>> parents) {
    this(context, parents, dependenciesOn(parents));
  }

  private UnionRDD(
      KilnContext context, List<RDD<T>> parents, List<RangeDependency<T>> dependencies) {
    super(context, dependencies);
    this.size =
        parents.isEmpty()
            ? 0
            : dependencies.getLast().childStart() + parents.getLast().numPartitions();
  }

  private static <T> List<RangeDependency<T>> dependenciesOn(List<RDD<T>> parents) {
    List<RangeDependency<T>> dependencies = new ArrayList<>(parents.size());
    int start = 0;
    for (RDD<T> parent : parents) {
      int length = parent.numPartitions();
      dependencies.add(new RangeDependency<>(parent, 0, start, length));
      start = Math.addExact(start, length);
    }
    return dependencies;
  }

  @Override
  int countPartitions() {
    return size;
  }

  @Override
  List<String> ownPreferredLocations(int partition) {
    return List.of();
  }

  /// Whether an RDD is a union that is computed from its parents.
  private static boolean isOpen(RDD<?> rdd) {
    return rdd instanceof UnionRDD && !rdd.isCheckpointed();
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> partitions = new ArrayList<>(size);
    Deque<RDD<?>> open = new ArrayDeque<>();
    openParents(this, open);
    while (!open.isEmpty()) {
      RDD<?> next = open.removeLast();
      if (isOpen(next)) {
        openParents(next, open);
      } else {
        for (Partition origin : next.partitions()) {
          partitions.add(new UnionPartition(partitions.size(), origin));
        }
      }
    }
    return partitions;
  }

  private static void openParents(RDD<?> union, Deque<RDD<?>> open) {
    for (Dependency<?> dependency : union.dependencies().reversed()) {
      open.addLast(dependency.parent());
    }
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) throws Exception {
    return source((UnionPartition) split, task).iterator();
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    source((UnionPartition) split, task).forEach(sink);
  }

  /// Past all unions that nobody has stored.
  @SuppressWarnings("unchecked") // a union's parents have its type of records
  private Records<T> source(UnionPartition split, TaskContext task) {
    RDD<T> rdd = this;
    int index = split.index();
    do {
      RangeDependency<T> dependency =
          (RangeDependency<T>) rdd.dependencies().get(position(rdd, index));
      rdd = dependency.parent();
      index = dependency.parentPartitions(index).getFirst();
    } while (isOpen(rdd) && !rdd.storageLevel().isPersistent());
    return rdd.records(
        isOpen(rdd) ? new UnionPartition(index, split.origin()) : split.origin(), task);
  }

  /// Which parent's the partition is: the last that starts at it or before, and is not empty.
  private static int position(RDD<?> union, int partition) {
    List<Dependency<?>> dependencies = union.dependencies();
    int low = 0;
    int high = dependencies.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (((RangeDependency<?>) dependencies.get(middle)).childStart() <= partition) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
