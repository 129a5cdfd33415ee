package io.kiln.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Every record of one parent with every record of the other.
final class CartesianRDD<T, U> extends RDD<Pair<T, U>> {
  private final int rightPartitions;

  private record CartesianPartition(int index, Partition left, Partition right)
      implements Partition {}

  CartesianRDD(RDD<T> left, RDD<U> right) {
    super(
        left.context(),
        List.of(
            new SideDependency<>(left, right.numPartitions(), true),
            new SideDependency<>(right, right.numPartitions(), false)));
    this.rightPartitions = right.numPartitions();
    if ((long) left.numPartitions() * rightPartitions > Integer.MAX_VALUE) {
      throw new KilnException(
          "TOO_MANY_PARTITIONS",
          KilnException.Kind.USER,
          "cartesian of %d by %d partitions has more than 2147483647; coalesce them first"
              .formatted(left.numPartitions(), rightPartitions));
    }
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> partitions = new ArrayList<>();
    for (Partition left : parent(0).partitions()) {
      for (Partition right : parent(1).partitions()) {
        partitions.add(new CartesianPartition(partitions.size(), left, right));
      }
    }
    return partitions;
  }

  @Override
  public Iterator<Pair<T, U>> compute(Partition split, TaskContext task) throws Exception {
    CartesianPartition sides = (CartesianPartition) split;
    RDD<T> left = parent(0);
    RDD<U> right = parent(1);
    Iterator<T> outer = left.iterator(sides.left(), task);
    return new Iterator<>() {
      private T first;
      private Iterator<U> inner = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!inner.hasNext()) {
          if (!outer.hasNext()) {
            return false;
          }
          first = outer.next();
          try {
            inner = right.iterator(sides.right(), task);
          } catch (Exception e) {
            throw Unchecked.sneak(e);
          }
        }
        return true;
      }

      @Override
      public Pair<T, U> next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return new Pair<>(first, inner.next());
      }
    };
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super Pair<T, U>> sink)
      throws Exception {
    CartesianPartition sides = (CartesianPartition) split;
    RDD<T> left = parent(0);
    RDD<U> right = parent(1);
    StoppableSink<Pair<T, U>> stoppable = new StoppableSink<>(sink);
    left.forEachRecord(
        sides.left(),
        task,
        first -> {
          right.forEachRecord(
              sides.right(), task, second -> stoppable.accept(new Pair<>(first, second)));
          return !stoppable.isStopped();
        });
  }

  private static final class SideDependency<T> extends NarrowDependency<T> {
    private final int rightPartitions;
    private final boolean isLeft;

    SideDependency(RDD<T> parent, int rightPartitions, boolean isLeft) {
      super(parent);
      this.rightPartitions = rightPartitions;
      this.isLeft = isLeft;
    }

    @Override
    public List<Integer> parentPartitions(int childPartition) {
      return List.of(isLeft ? childPartition / rightPartitions : childPartition % rightPartitions);
    }
  }
}
