package io.kiln.storage.shuffle;

/// From `Integer` keys to numbers: a slot is two neighbouring longs, the key with a mark that the
/// slot is used, and the number's bits. A probe touches one cache line.
final class IntegerTable extends CombineTable {
  private static final long USED = 1L << 32;
  private static final long KEY = USED - 1;

  private final NumberKind kind;
  private long[] cells;

  IntegerTable(NumberKind kind, int capacity) {
    super(capacity);
    this.kind = kind;
    this.cells = new long[2 * capacity];
  }

  NumberKind kind() {
    return kind;
  }

  @Override
  int slot(Object key, int hash) {
    if (!(key instanceof Integer)) {
      return -1; // not here; put by a wider table only
    }
    long wanted = USED | (hash & KEY);
    long[] all = cells;
    int at = home(hash);
    while (true) {
      long there = all[2 * at];
      if (there == wanted) {
        return at;
      }
      if (there == 0) {
        return ~at;
      }
      at = (at + 1) & mask;
    }
  }

  @Override
  boolean takesKey(Object key) {
    return key instanceof Integer;
  }

  @Override
  boolean takesValue(Object value) {
    return kind.isOf(value);
  }

  @Override
  void put(int slot, Object key, int hash, Object value) {
    cells[2 * slot] = USED | (hash & KEY);
    cells[2 * slot + 1] = kind.bits(value);
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
    return (int) cells[2 * slot];
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
    long[] old = cells;
    resized(Math.multiplyExact(capacity(), 2));
    cells = new long[Math.multiplyExact(capacity(), 2)];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0) {
        int at = home((int) old[i]);
        while (cells[2 * at] != 0) {
          at = (at + 1) & mask;
        }
        cells[2 * at] = old[i];
        cells[2 * at + 1] = old[i + 1];
      }
    }
  }

  @Override
  void clear() {
    resized(FIRST_CAPACITY);
    cells = new long[2 * FIRST_CAPACITY];
    size = 0;
  }
}
