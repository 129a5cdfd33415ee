package io.kiln.api;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The numbers of an arithmetic progression; a partition is only its index.
final class RangeRDD extends RDD<Long> {
  private final long start;
  private final long step;
  private final long count;
  private final int slices;

  RangeRDD(KilnContext context, long start, long step, long count, int slices) {
    super(context, List.of());
    this.start = start;
    this.step = step;
    this.count = count;
    this.slices = slices;
  }

  @Override
  protected List<Partition> computePartitions() {
    return new AbstractList<>() {
      @Override
      public Partition get(int index) {
        return new IndexedPartition(index);
      }

      @Override
      public int size() {
        return slices;
      }
    };
  }

  /// The position at which a slice starts. 128-bit arithmetic where 64 would overflow.
  private long bound(int slice) {
    long high = Math.multiplyHigh(count, slice);
    long low = count * slice;
    if (high == 0 && low >= 0) {
      return low / slices;
    }
    return java.math.BigInteger.valueOf(count)
        .multiply(java.math.BigInteger.valueOf(slice))
        .divide(java.math.BigInteger.valueOf(slices))
        .longValueExact();
  }

  @Override
  public Iterator<Long> compute(Partition split, TaskContext task) {
    long end = bound(split.index() + 1);
    return new Iterator<>() {
      private long position = bound(split.index());

      @Override
      public boolean hasNext() {
        return position < end;
      }

      @Override
      public Long next() {
        task.throwIfInterrupted();
        if (position >= end) {
          throw new NoSuchElementException();
        }
        return start + step * position++;
      }
    };
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super Long> sink) throws Exception {
    long end = bound(split.index() + 1);
    for (long position = bound(split.index()); position < end; position++) {
      task.throwIfInterrupted();
      if (!sink.accept(start + step * position)) {
        return;
      }
    }
  }
}
