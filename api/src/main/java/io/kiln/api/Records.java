package io.kiln.api;

import java.util.Iterator;

/// The records of one partition, to be read once: either pulled by an iterator or pushed into a
/// sink.
///
/// Only the task's thread uses it.
public interface Records<T> {

  Iterator<T> iterator() throws Exception;

  /// Pushes the records in order until there are no more or the sink wants no more.
  default void forEach(Sink<? super T> sink) throws Exception {
    Iterator<T> records = iterator();
    while (records.hasNext()) {
      if (!sink.accept(records.next())) {
        return;
      }
    }
  }
}
