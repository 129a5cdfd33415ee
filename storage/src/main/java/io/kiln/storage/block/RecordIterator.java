package io.kiln.storage.block;

import io.kiln.storage.serializer.ObjectReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Records of a serialised block.
final class RecordIterator implements Iterator<Object> {
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
