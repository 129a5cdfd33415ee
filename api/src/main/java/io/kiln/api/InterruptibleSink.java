package io.kiln.api;

import java.util.Iterator;

/// Looks at each record whether the task was cancelled. Put at the sources, and where one record
/// may become any number, so that the other operators need not look.
final class InterruptibleSink<T> implements Sink<T> {
  private final TaskContext task;
  private final Sink<? super T> sink;

  InterruptibleSink(TaskContext task, Sink<? super T> sink) {
    this.task = task;
    this.sink = sink;
  }

  @Override
  public boolean accept(T value) throws Exception {
    task.throwIfInterrupted();
    return sink.accept(value);
  }

  /// The same for an iterator.
  static <T> Iterator<T> iterator(TaskContext task, Iterator<T> records) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public T next() {
        task.throwIfInterrupted();
        return records.next();
      }
    };
  }
}
