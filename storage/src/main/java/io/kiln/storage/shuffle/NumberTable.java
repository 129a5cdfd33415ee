package io.kiln.storage.shuffle;

/// From any keys to numbers: hash code and number are neighbours; the key is touched only if the
/// hash codes are equal.
final class NumberTable extends CombineTable {
  private static final long USED = 1L << 32;
  private static final long HASH = USED - 1;

  private final NumberKind kind;
  private long[] cells;
  private Object[] keys;

  NumberTable(NumberKind kind, int capacity) {
    super(capacity);
    this.kind = kind;
    this.cells = new long[2 * capacity];
    this.keys = new Object[capacity];
  }

  @Override
  int slot(Object key, int hash) {
    long wanted = USED | (hash & HASH);
    long[] all = cells;
    int at = home(hash);
    while (true) {
      long there = all[2 * at];
      if (there == wanted) {
        Object found = keys[at];
        if (found == key || (key != null && key.equals(found))) {
          return at;
        }
      } else if (there == 0) {
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
    return kind.isOf(value);
  }

  @Override
  void put(int slot, Object key, int hash, Object value) {
    cells[2 * slot] = USED | (hash & HASH);
    cells[2 * slot + 1] = kind.bits(value);
    keys[slot] = key;
    size++;
  }

  @Override
  boolean isUsed(int slot) {
    return cells[2 * slot] != 0;
  }

  @Override
  int hash(int slot) {
    return (int) cells[2 * slot];
  }

  @Override
  Object key(int slot) {
    return keys[slot];
  }

  @Override
  Object value(int slot) {
    return kind.box(cells[2 * slot + 1]);
  }

  @Override
  void setValue(int slot, Object value) {
    cells[2 * slot + 1] = kind.bits(value);
  }

  @Override
  void grow() {
    long[] oldCells = cells;
    Object[] oldKeys = keys;
    resized(Math.multiplyExact(capacity(), 2));
    cells = new long[Math.multiplyExact(capacity(), 2)];
    keys = new Object[capacity()];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldCells[2 * i] != 0) {
        int at = home((int) oldCells[2 * i]);
        while (cells[2 * at] != 0) {
          at = (at + 1) & mask;
        }
        cells[2 * at] = oldCells[2 * i];
        cells[2 * at + 1] = oldCells[2 * i + 1];
        keys[at] = oldKeys[i];
      }
    }
  }

  @Override
  void clear() {
    resized(FIRST_CAPACITY);
    cells = new long[2 * FIRST_CAPACITY];
    keys = new Object[FIRST_CAPACITY];
    size = 0;
  }
}
