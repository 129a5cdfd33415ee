package io.kiln.storage.block;

import java.util.Collections;
import java.util.Iterator;

/// Records of a block that was not stored: first those that were taken, which hold memory, then the
/// rest. The memory is given back with the last of the first, or when the reader gives up. Used by
/// one task's thread.
final class HeldRecords implements Iterator<Object>, AutoCloseable {
  private final BlockStore store;
  private long heldBytes;
  private Iterator<Object> taken;
  private final Iterator<?> rest;

  HeldRecords(BlockStore store, long heldBytes, Iterator<Object> taken, Iterator<?> rest) {
    this.store = store;
    this.heldBytes = heldBytes;
    this.taken = taken;
    this.rest = rest;
  }

  @Override
  public boolean hasNext() {
    if (taken.hasNext()) {
      return true;
    }
    close();
    return rest.hasNext();
  }

  @Override
  public Object next() {
    return hasNext() && taken.hasNext() ? taken.next() : rest.next();
  }

  /// Lets go of the records that were taken. Idempotent.
  @Override
  public void close() {
    Iterator<Object> dropped = taken;
    taken = Collections.emptyIterator();
    if (heldBytes > 0) {
      store.release(heldBytes);
      heldBytes = 0;
    }
    if (dropped instanceof RecordIterator open) {
      open.close();
    }
  }
}
