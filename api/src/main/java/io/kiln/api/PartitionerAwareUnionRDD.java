package io.kiln.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// The union of RDDs whose keys are placed alike: partition `i` holds all their partitions `i`.
final class PartitionerAwareUnionRDD<T> extends RDD<T> {
  private final Partitioner partitioner;

  /// @param parents all with `partitioner`
  PartitionerAwareUnionRDD(KilnContext context, List<RDD<T>> parents, Partitioner partitioner) {
    super(context, parents.stream().map(OneToOneDependency::new).toList());
    this.partitioner = partitioner;
  }

  @Override
  protected List<Partition> computePartitions() {
    return ZippedPartitionsRDD.zipped(this);
  }

  @Override
  public Optional<Partitioner> partitioner() {
    return Optional.of(partitioner);
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) {
    List<Partition> members = ((PartitionGroup) split).members();
    List<Records<T>> sources = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      RDD<T> parent = parent(i);
      sources.add(parent.records(members.get(i), task));
    }
    return new ChainedIterator<>(sources);
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    List<Partition> members = ((PartitionGroup) split).members();
    StoppableSink<T> stoppable = new StoppableSink<>(sink);
    for (int i = 0; i < members.size() && !stoppable.isStopped(); i++) {
      RDD<T> parent = parent(i);
      parent.forEachRecord(members.get(i), task, stoppable);
    }
  }
}
