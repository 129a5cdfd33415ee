package io.kiln.storage.shuffle;

/// From any keys to any values. The hash codes stand in an array of their own, so that a probe
/// touches a key only if its hash code is equal; a key and its value are neighbours.
final class ObjectTable extends CombineTable {
  private static final Object NULL_KEY = new Object();

  private int[] hashes;
  private Object[] entries;

  ObjectTable(int capacity) {
    super(capacity);
    this.hashes = new int[capacity];
    this.entries = new Object[2 * capacity];
  }

  @Override
  int slot(Object key, int hash) {
    Object wanted = key == null ? NULL_KEY : key;
    int[] all = hashes;
    int at = home(hash);
    while (true) {
      if (all[at] == hash) {
        Object found = entries[2 * at];
        if (found == wanted || wanted.equals(found)) {
          return at;
        }
        if (found == null) {
          return ~at; // an empty slot has the hash code 0
        }
      } else if (all[at] == 0 && entries[2 * at] == null) {
        return ~at;
      }
      at = (at + 1) & mask;
    }
  }

  @Override
  boolean takesKey(Object key) {
    return true;
  }

  @Override
  boolean takesValue(Object value) {
    return true;
  }

  @Override
  void put(int slot, Object key, int hash, Object value) {
    hashes[slot] = hash;
    entries[2 * slot] = key == null ? NULL_KEY : key;
    entries[2 * slot + 1] = value;
    size++;
  }

  @Override
  boolean isUsed(int slot) {
    return entries[2 * slot] != null;
  }

  @Override
  int hash(int slot) {
    return hashes[slot];
  }

  @Override
  Object key(int slot) {
    Object key = entries[2 * slot];
    return key == NULL_KEY ? null : key;
  }

  @Override
  Object value(int slot) {
    return entries[2 * slot + 1];
  }

  @Override
  void setValue(int slot, Object value) {
    entries[2 * slot + 1] = value;
  }

  @Override
  void grow() {
    int[] oldHashes = hashes;
    Object[] oldEntries = entries;
    resized(Math.multiplyExact(capacity(), 2));
    hashes = new int[capacity()];
    entries = new Object[Math.multiplyExact(capacity(), 2)];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldEntries[2 * i] != null) {
        int at = home(oldHashes[i]);
        while (entries[2 * at] != null) {
          at = (at + 1) & mask;
        }
        hashes[at] = oldHashes[i];
        entries[2 * at] = oldEntries[2 * i];
        entries[2 * at + 1] = oldEntries[2 * i + 1];
      }
    }
  }

  @Override
  void clear() {
    resized(FIRST_CAPACITY);
    hashes = new int[FIRST_CAPACITY];
    entries = new Object[2 * FIRST_CAPACITY];
    size = 0;
  }
}
