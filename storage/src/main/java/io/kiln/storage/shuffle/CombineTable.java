package io.kiln.storage.shuffle;

import java.util.Arrays;

/// An open-addressing table from keys to combined values; used by one thread. The layouts differ in
/// what a probe touches: [ObjectTable] holds anything; [NumberTable] holds numbers unboxed, so that
/// a changed sum costs no write barrier and leaves nothing to collect; [IntegerTable] has the key
/// in the same cache line too. A table begins in the layout that fits its first entry, and moves to
/// a more general one when something comes that doesn't fit.
///
/// A table is read in an order of its own ([#slotAt]), not slot by slot: in slot order its keys
/// would come sorted by where they belong, fill a smaller table from one end, and every probe there
/// would walk the filled part.
///
/// A `null` key is an entry as any other.
abstract sealed class CombineTable permits ObjectTable, NumberTable, IntegerTable {
  static final int FIRST_CAPACITY = 64;
  static final int MAX_CAPACITY = 1 << 29;
  private static final int GOLDEN_RATIO = 0x9E3779B9;
  private static final int BLOCK_BITS = 4;
  private static final int BLOCK = 1 << BLOCK_BITS;

  private int capacity;
  private int shift;
  int mask;
  int size;

  CombineTable(int capacity) {
    resized(capacity);
  }

  /// The empty table that suits a first entry.
  static CombineTable fitting(Object key, Object value) {
    NumberKind kind = NumberKind.of(value);
    if (kind == null) {
      return new ObjectTable(FIRST_CAPACITY);
    }
    return key instanceof Integer
        ? new IntegerTable(kind, FIRST_CAPACITY)
        : new NumberTable(kind, FIRST_CAPACITY);
  }

  static int hashOf(Object key) {
    return key == null ? 0 : key.hashCode();
  }

  final int size() {
    return size;
  }

  final int capacity() {
    return capacity;
  }

  /// Whether another key should not be added before [#grow].
  final boolean isFull() {
    return size > capacity / 2 + capacity / 4;
  }

  /// Where a key of this hash code belongs.
  final int home(int hash) {
    return (hash * GOLDEN_RATIO) >>> shift;
  }

  final void resized(int newCapacity) {
    capacity = newCapacity;
    mask = newCapacity - 1;
    shift = Integer.numberOfLeadingZeros(newCapacity) + 1;
  }

  /// Of the table's arrays, the largest layout's.
  static long arrayBytes(int capacity) {
    return 20L * capacity;
  }

  /// @param hash the key's [#hashOf]
  /// @return the key's slot, or, if it isn't there, the complement of the slot to [#put] it
  abstract int slot(Object key, int hash);

  /// Whether this layout can hold the key.
  abstract boolean takesKey(Object key);

  /// Whether this layout can hold the value.
  abstract boolean takesValue(Object value);

  abstract void put(int slot, Object key, int hash, Object value);

  abstract boolean isUsed(int slot);

  abstract int hash(int slot);

  abstract Object key(int slot);

  abstract Object value(int slot);

  abstract void setValue(int slot, Object value);

  /// Doubles the capacity.
  abstract void grow();

  /// Empties the table and makes it small.
  abstract void clear();

  /// The table to go on with when the key or the value doesn't fit; holds what this one holds.
  final CombineTable widenedFor(Object key, Object value) {
    CombineTable wider =
        this instanceof IntegerTable table && takesValue(value)
            ? new NumberTable(table.kind(), capacity)
            : new ObjectTable(capacity);
    for (int slot = 0; slot < capacity; slot++) {
      if (isUsed(slot)) {
        Object held = key(slot);
        int hash = hash(slot);
        wider.put(~wider.slot(held, hash), held, hash, value(slot));
      }
    }
    return wider;
  }

  /// The slot to read as the `index`-th: blocks of neighbours, the blocks in a scattered order.
  final int slotAt(int index) {
    int block = ((index >>> BLOCK_BITS) * GOLDEN_RATIO) & (mask >>> BLOCK_BITS);
    return (block << BLOCK_BITS) | (index & (BLOCK - 1));
  }

  /// How far the worst placed key is from where it belongs.
  final int longestProbe() {
    int longest = 0;
    for (int slot = 0; slot < capacity; slot++) {
      if (isUsed(slot)) {
        longest = Math.max(longest, (slot - home(hash(slot))) & mask);
      }
    }
    return longest;
  }

  /// The used slots by partition, and within one by hash code if wanted.
  ///
  /// @param partitions of each slot that is used
  /// @param starts gets, for each partition and the end, where its slots begin
  final int[] slotsByPartition(int[] partitions, int[] starts, boolean byHash) {
    for (int slot = 0; slot < capacity; slot++) {
      if (isUsed(slot)) {
        starts[partitions[slot] + 1]++;
      }
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] next = Arrays.copyOf(starts, starts.length);
    int[] slots = new int[size];
    for (int i = 0; i < capacity; i++) {
      int slot = slotAt(i);
      if (isUsed(slot)) {
        slots[next[partitions[slot]]++] = slot;
      }
    }
    if (byHash) {
      for (int i = 0; i + 1 < starts.length; i++) {
        sortByHash(slots, starts[i], starts[i + 1]);
      }
    }
    return slots;
  }

  private void sortByHash(int[] slots, int from, int to) {
    long[] keys = new long[to - from];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = ((long) hash(slots[from + i]) << 32) | slots[from + i];
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      slots[from + i] = (int) keys[i];
    }
  }
}
