package io.kiln.api;

import java.util.Iterator;

/// Looks every few thousand records whether the task was cancelled. Put at the sources, so that the
/// operators need not look.
final class InterruptibleSink<T> implements Sink<T> {
  /// How many records pass between two looks, less one; a power of two, less one.
  static final int MASK = 4095;

  private final TaskContext task;
  private final Sink<? super T> sink;
  private int passed;

  InterruptibleSink(TaskContext task, Sink<? super T> sink) {
    this.task = task;
    this.sink = sink;
  }

  @Override
  public boolean accept(T value) throws Exception {
    if ((++passed & MASK) == 0) {
      task.throwIfInterrupted();
    }
    return sink.accept(value);
  }

  /// The same for an iterator.
  static <T> Iterator<T> iterator(TaskContext task, Iterator<T> records) {
    return new Iterator<>() {
      private int passed;

      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public T next() {
        if ((++passed & MASK) == 0) {
          task.throwIfInterrupted();
        }
        return records.next();
      }
    };
  }
}
