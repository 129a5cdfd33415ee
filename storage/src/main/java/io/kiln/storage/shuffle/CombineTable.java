package io.kiln.storage.shuffle;

import java.util.Arrays;

/// An open-addressing table from keys to combined values. The hash codes stand in an array of their
/// own, so that a probe touches a key only if its hash code is equal; a key and its value are
/// neighbours. Used by one thread.
///
/// A slot follows from the hash code by a multiplication, and each capacity has a multiplier of its
/// own. A table is read in the order of its slots; with one multiplier for all, inserting what
/// another table gave, in its order, would fill a smaller table from one end, and every probe would
/// walk the filled part.
///
/// A `null` key is an entry as any other.
final class CombineTable {
  static final int FIRST_CAPACITY = 64;
  private static final Object NULL_KEY = new Object();
  private static final int ZERO_STANDS_FOR_EMPTY = 0x5bd1e995;
  private static final int[] MULTIPLIERS = multipliers();

  private int[] hashes = new int[FIRST_CAPACITY];
  private Object[] entries = new Object[2 * FIRST_CAPACITY];
  private int mask = FIRST_CAPACITY - 1;
  private int shift = 32 - 6;
  private int multiplier = MULTIPLIERS[shift];
  private int size;
  private boolean onlyIntegers = true;

  /// An odd number for each shift, with no simple ratio between any two.
  private static int[] multipliers() {
    int[] all = new int[32];
    for (int i = 0; i < all.length; i++) {
      int mixed = (i + 1) * 0x9E3779B9;
      mixed = (mixed ^ mixed >>> 16) * 0x85EBCA6B;
      mixed = (mixed ^ mixed >>> 13) * 0xC2B2AE35;
      all[i] = (mixed ^ mixed >>> 16) | 1;
    }
    return all;
  }

  int size() {
    return size;
  }

  int capacity() {
    return hashes.length;
  }

  /// Whether another key should not be added before [#grow].
  boolean isFull() {
    return size > hashes.length / 2 + hashes.length / 8;
  }

  /// Of its arrays, with 4 bytes a reference.
  static long arrayBytes(int capacity) {
    return 12L * capacity;
  }

  static int hashOf(Object key) {
    int hash = key == null ? 0 : key.hashCode();
    return hash == 0 ? ZERO_STANDS_FOR_EMPTY : hash;
  }

  /// @param hash the key's [#hashOf]
  /// @return the key's slot, or, if it isn't there, the complement of the slot to [#put] it
  int slot(Object key, int hash) {
    Object wanted = key == null ? NULL_KEY : key;
    // an Integer is its hash code: no need to look at the key, which is likely not in the cache
    boolean hashDecides = onlyIntegers && key instanceof Integer && hash != ZERO_STANDS_FOR_EMPTY;
    int[] all = hashes;
    int at = (hash * multiplier) >>> shift;
    while (true) {
      int there = all[at];
      if (there == hash) {
        if (hashDecides) {
          return at;
        }
        Object found = entries[2 * at];
        if (found == wanted || wanted.equals(found)) {
          return at;
        }
      } else if (there == 0) {
        return ~at;
      }
      at = (at + 1) & mask;
    }
  }

  void put(int slot, Object key, int hash, Object value) {
    hashes[slot] = hash;
    entries[2 * slot] = key == null ? NULL_KEY : key;
    entries[2 * slot + 1] = value;
    onlyIntegers &= key instanceof Integer;
    size++;
  }

  /// How far the worst placed key is from where its hash code would have it.
  int longestProbe() {
    int longest = 0;
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
        longest = Math.max(longest, (slot - ((hashes[slot] * multiplier) >>> shift)) & mask);
      }
    }
    return longest;
  }

  boolean isUsed(int slot) {
    return hashes[slot] != 0;
  }

  int hash(int slot) {
    return hashes[slot];
  }

  Object key(int slot) {
    Object key = entries[2 * slot];
    return key == NULL_KEY ? null : key;
  }

  Object value(int slot) {
    return entries[2 * slot + 1];
  }

  void setValue(int slot, Object value) {
    entries[2 * slot + 1] = value;
  }

  /// Doubles the capacity.
  void grow() {
    int[] oldHashes = hashes;
    Object[] oldEntries = entries;
    int capacity = Math.multiplyExact(oldHashes.length, 2);
    hashes = new int[capacity];
    entries = new Object[Math.multiplyExact(2, capacity)];
    mask = capacity - 1;
    shift--;
    multiplier = MULTIPLIERS[shift];
    for (int i = 0; i < oldHashes.length; i++) {
      int hash = oldHashes[i];
      if (hash != 0) {
        int at = (hash * multiplier) >>> shift;
        while (hashes[at] != 0) {
          at = (at + 1) & mask;
        }
        hashes[at] = hash;
        entries[2 * at] = oldEntries[2 * i];
        entries[2 * at + 1] = oldEntries[2 * i + 1];
      }
    }
  }

  void clear() {
    hashes = new int[FIRST_CAPACITY];
    entries = new Object[2 * FIRST_CAPACITY];
    mask = FIRST_CAPACITY - 1;
    shift = 32 - 6;
    multiplier = MULTIPLIERS[shift];
    size = 0;
    onlyIntegers = true;
  }

  /// The used slots by partition, and within one by hash code if wanted.
  ///
  /// @param partitions of each slot that is used
  /// @param starts gets, for each partition and the end, where its slots begin
  int[] slotsByPartition(int[] partitions, int[] starts, boolean byHash) {
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
        starts[partitions[slot] + 1]++;
      }
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] next = Arrays.copyOf(starts, starts.length);
    int[] slots = new int[size];
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
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
      keys[i] = (long) hashes[slots[from + i]] << 32 | slots[from + i];
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      slots[from + i] = (int) keys[i];
    }
  }
}
