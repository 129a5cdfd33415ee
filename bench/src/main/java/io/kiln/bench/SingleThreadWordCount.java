package io.kiln.bench;

import io.kiln.bench.work.Words;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Counts words in an open-addressing table that keeps each word's hash beside it, so that
/// most probes end without touching the word. Used by one thread, for one file.
final class SingleThreadWordCount {
  private static final int INITIAL_CAPACITY = 1 << 12;

  private String[] words = new String[INITIAL_CAPACITY];
  private int[] hashes = new int[INITIAL_CAPACITY];
  private long[] counts = new long[INITIAL_CAPACITY];
  private int size;

  private SingleThreadWordCount() {}

  static SingleThreadWordCount of(Path text) throws IOException {
    SingleThreadWordCount table = new SingleThreadWordCount();
    try (BufferedReader reader = Files.newBufferedReader(text)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        for (String word : Words.of(line)) {
          table.add(word);
        }
      }
    }
    return table;
  }

  long distinct() {
    return size;
  }

  long total() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }

  private void add(String word) {
    int hash = spread(word.hashCode());
    int slot = slotOf(word, hash);
    if (words[slot] == null) {
      if (size * 2 >= words.length) {
        grow();
        slot = slotOf(word, hash);
      }
      words[slot] = word;
      hashes[slot] = hash;
      size++;
    }
    counts[slot]++;
  }

  private int slotOf(String word, int hash) {
    int mask = words.length - 1;
    int slot = hash & mask;
    while (words[slot] != null && !(hashes[slot] == hash && words[slot].equals(word))) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    String[] oldWords = words;
    int[] oldHashes = hashes;
    long[] oldCounts = counts;
    words = new String[oldWords.length * 2];
    hashes = new int[words.length];
    counts = new long[words.length];
    int mask = words.length - 1;
    for (int i = 0; i < oldWords.length; i++) {
      if (oldWords[i] != null) {
        int slot = oldHashes[i] & mask;
        while (words[slot] != null) {
          slot = (slot + 1) & mask;
        }
        words[slot] = oldWords[i];
        hashes[slot] = oldHashes[i];
        counts[slot] = oldCounts[i];
      }
    }
  }

  /// Mixes the high bits in, since the table looks at the low ones alone.
  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }
}
