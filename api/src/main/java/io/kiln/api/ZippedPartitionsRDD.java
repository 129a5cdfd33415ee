package io.kiln.api;

import io.kiln.api.function.Function;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Partition `i` of several parents, read together.
final class ZippedPartitionsRDD<R> extends RDD<R> {
  private final Function<Iterator<?>[], Iterator<? extends R>> function;
  private final boolean orderMatters;

  /// Of a function for which the records' order does not matter, or for which nobody knows.
  ZippedPartitionsRDD(
      KilnContext context,
      List<RDD<?>> parents,
      Function<Iterator<?>[], Iterator<? extends R>> function) {
    this(context, parents, function, false);
  }

  /// @param orderMatters whether other records come out if those that go in are in another order
  /// @throws KilnException if the parents have different numbers of partitions
  ZippedPartitionsRDD(
      KilnContext context,
      List<RDD<?>> parents,
      Function<Iterator<?>[], Iterator<? extends R>> function,
      boolean orderMatters) {
    super(context, oneToOne(parents));
    this.function = function;
    this.orderMatters = orderMatters;
  }

  private static List<Dependency<?>> oneToOne(List<RDD<?>> parents) {
    List<Integer> sizes = new ArrayList<>();
    List<Dependency<?>> dependencies = new ArrayList<>();
    for (RDD<?> parent : parents) {
      sizes.add(parent.numPartitions());
      dependencies.add(new OneToOneDependency<>(parent));
    }
    if (sizes.stream().distinct().count() > 1) {
      throw new KilnException(
          "UNEQUAL_PARTITIONS",
          KilnException.Kind.USER,
          "RDDs with %s partitions can't be zipped; repartition them to the same number"
              .formatted(sizes));
    }
    return dependencies;
  }

  /// A group a partition: the partitions of all parents of `child` with that index.
  static List<Partition> zipped(RDD<?> child) {
    int parents = child.dependencies().size();
    int size = child.dependencies().get(0).parent().numPartitions();
    List<Partition> partitions = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      List<Partition> members = new ArrayList<>(parents);
      for (Dependency<?> dependency : child.dependencies()) {
        members.add(dependency.parent().partitions().get(i));
      }
      partitions.add(new PartitionGroup(i, members));
    }
    return partitions;
  }

  @Override
  protected List<Partition> computePartitions() {
    return zipped(this);
  }

  @Override
  public Iterator<R> compute(Partition split, TaskContext task) throws Exception {
    List<Partition> members = ((PartitionGroup) split).members();
    Iterator<?>[] sources = new Iterator<?>[members.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = parent(i).iterator(members.get(i), task);
    }
    return InterruptibleSink.iterator(task, Transformations.cast(function.apply(sources)));
  }

  @Override
  protected Determinism outputDeterminism(List<Determinism> inputs) {
    Determinism input = super.outputDeterminism(inputs);
    return orderMatters ? input.whereOrderMatters() : input;
  }
}
