package io.kiln.api;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Several sources, one after another; each opened when its turn comes.
final class ChainedIterator<T> implements Iterator<T> {
  private final List<Records<T>> sources;
  private int nextSource;
  private Iterator<T> current = Collections.emptyIterator();

  ChainedIterator(List<Records<T>> sources) {
    this.sources = sources;
  }

  @Override
  public boolean hasNext() {
    while (!current.hasNext()) {
      if (nextSource == sources.size()) {
        return false;
      }
      try {
        current = sources.get(nextSource++).iterator();
      } catch (Exception e) {
        throw Unchecked.sneak(e);
      }
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return current.next();
  }
}
