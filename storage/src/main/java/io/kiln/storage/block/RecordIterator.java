package io.kiln.storage.block;

import io.kiln.storage.serializer.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Records of a serialised block. Closed by its reader once it has given all, or before by whoever
/// gives up on it.
final class RecordIterator implements Iterator<Object>, AutoCloseable {
  private final ObjectReader reader;
  private boolean done;

  RecordIterator(ObjectReader reader) {
    this.reader = reader;
  }

  @Override
  public boolean hasNext() {
    try {
      if (!done && !reader.hasNext()) {
        done = true;
        reader.close();
      }
      return !done;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Nothing more is read. Idempotent.
  @Override
  public void close() {
    done = true;
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    try {
      return reader.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
