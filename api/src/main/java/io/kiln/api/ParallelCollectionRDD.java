package io.kiln.api;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/// A collection of the driver's, cut into slices. A task carries its own slice only.
final class ParallelCollectionRDD<T> extends RDD<T> {
  private final transient Object[] values;
  private final int slices;

  /// @param slices at least 1, or 0 for an RDD without partitions
  ParallelCollectionRDD(KilnContext context, Collection<? extends T> values, int slices) {
    super(context, List.of());
    this.values = values.toArray();
    this.slices = slices;
  }

  @Override
  protected List<Partition> computePartitions() {
    List<Partition> partitions = new ArrayList<>(slices);
    for (int i = 0; i < slices; i++) {
      partitions.add(new Slice(i, values, bound(i), bound(i + 1)));
    }
    return partitions;
  }

  private int bound(int slice) {
    return (int) ((long) slice * values.length / slices);
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext task) {
    Slice slice = (Slice) split;
    return new Iterator<>() {
      private int next = slice.from;

      @Override
      public boolean hasNext() {
        return next < slice.to;
      }

      @Override
      public T next() {
        task.throwIfInterrupted();
        if (next >= slice.to) {
          throw new java.util.NoSuchElementException();
        }
        return slice.value(next++);
      }
    };
  }

  @Override
  protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
    Slice slice = (Slice) split;
    for (int i = slice.from; i < slice.to; i++) {
      task.throwIfInterrupted();
      if (!sink.accept(slice.value(i))) {
        return;
      }
    }
  }

  /// A part of the shared array; serialised, only that part.
  private static final class Slice implements Partition {
    private static final long serialVersionUID = 1L;

    private final int index;
    private transient Object[] values;
    private transient int from;
    private transient int to;

    Slice(int index, Object[] values, int from, int to) {
      this.index = index;
      this.values = values;
      this.from = from;
      this.to = to;
    }

    @Override
    public int index() {
      return index;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // made by the RDD itself
    <T> T value(int position) {
      return (T) values[position];
    }

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(to - from);
      for (int i = from; i < to; i++) {
        out.writeObject(values[i]);
      }
    }

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      to = in.readInt();
      values = new Object[to];
      for (int i = 0; i < to; i++) {
        values[i] = in.readObject();
      }
    }
  }
}
