package io.kiln.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/// Its parent's partitions in groups of neighbours, whose sizes differ by one at most.
final class CoalescedRDD<T> extends RDD<T> {
  private final int groups;

  /// @param groups at least 1; no more than the parent's partitions are made
  CoalescedRDD(RDD<T> parent, int groups) {
    super(
        parent.context(),
        List.of(
            new GroupDependency<>(
                parent, parent.numPartitions(), Math.min(groups, parent.numPartitions()))));
    this.groups = Math.min(groups, parent.numPartitions());
  }

  /// The first member of a group; the members are those up to the next group's first.
  static int groupStart(int group, int members, int groups) {
    return (int) ((long) group * members / groups);
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> members = parent(0).partitions();
    List<Partition> partitions = new ArrayList<>(groups);
    for (int i = 0; i < groups; i++) {
      int start = groupStart(i, members.size(), groups);
      int end = groupStart(i + 1, members.size(), groups);
      partitions.add(new PartitionGroup(i, members.subList(start, end)));
    }
    return partitions;
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) {
    RDD<T> parent = parent(0);
    List<Records<T>> sources = new ArrayList<>();
    for (Partition member : ((PartitionGroup) split).members()) {
      sources.add(parent.records(member, task));
    }
    return new ChainedIterator<>(sources);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    RDD<T> parent = parent(0);
    StoppableSink<T> stoppable = new StoppableSink<>(sink);
    for (Partition member : ((PartitionGroup) split).members()) {
      parent.forEachRecord(member, task, stoppable);
      if (stoppable.isStopped()) {
        return;
      }
    }
  }

  private static final class GroupDependency<T> extends NarrowDependency<T> {
    private final int members;
    private final int groups;

    GroupDependency(RDD<T> parent, int members, int groups) {
      super(parent);
      this.members = members;
      this.groups = groups;
    }

    @Override
    public List<Integer> parentPartitions(int childPartition) {
      return IntStream.range(
              groupStart(childPartition, members, groups),
              groupStart(childPartition + 1, members, groups))
          .boxed()
          .toList();
    }
  }
}
