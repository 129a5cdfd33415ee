package io.kiln.storage.shuffle;

import io.kiln.api.Pair;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;

/// Sorts pairs by key, stably. Keys of common types in natural or reverse order are sorted by a
/// number that stands for them, without touching the objects: 64-bit radix sort, then a look at the
/// pairs whose numbers are equal, if the number is only a prefix.
final class KeySort {
  private static final int SMALLEST_FOR_RADIX = 256;
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private KeySort() {}

  /// How a class of keys becomes numbers that order as the keys do.
  private enum Prefix {
    NONE,
    INTEGER,
    LONG,
    /// Eight characters below 256 each.
    LATIN_STRING,
    /// Four characters.
    STRING
  }

  /// Bytes that sorting one record takes beside the records.
  static final int BYTES_PER_RECORD = 28;

  /// @param pairs sorted in place, up to `size`
  /// @param check called between comparisons; may throw to end it
  static <K> void sort(Pair<K, ?>[] pairs, int size, Comparator<? super K> order, Runnable check) {
    boolean natural = order.equals(Comparator.naturalOrder());
    boolean reverse = order.equals(Collections.reverseOrder());
    Prefix prefix = natural || reverse ? prefixOf(pairs, size) : Prefix.NONE;
    if (size < SMALLEST_FOR_RADIX || prefix == Prefix.NONE) {
      Arrays.sort(pairs, 0, size, byKey(order, check));
      return;
    }
    long[] numbers = new long[size];
    int[] positions = new int[size];
    for (int i = 0; i < size; i++) {
      long number = number(prefix, pairs[i].key());
      numbers[i] = reverse ? ~number : number;
      positions[i] = i;
    }
    positions = radixSort(numbers, positions);
    Pair<K, ?>[] unsorted = Arrays.copyOf(pairs, size);
    for (int i = 0; i < size; i++) {
      pairs[i] = unsorted[positions[i]];
    }
    if (prefix == Prefix.STRING || prefix == Prefix.LATIN_STRING) {
      sortTies(pairs, size, byKey(order, check), prefix);
    }
  }

  /// The user's comparator may be slow.
  private static <K> Comparator<Pair<K, ?>> byKey(Comparator<? super K> order, Runnable check) {
    return (left, right) -> {
      check.run();
      return order.compare(left.key(), right.key());
    };
  }

  private static Prefix prefixOf(Pair<?, ?>[] pairs, int size) {
    if (size == 0 || pairs[0].key() == null) {
      return Prefix.NONE;
    }
    Class<?> type = pairs[0].key().getClass();
    Prefix prefix;
    if (type == Long.class) {
      prefix = Prefix.LONG;
    } else if (type == Integer.class) {
      prefix = Prefix.INTEGER;
    } else if (type == String.class) {
      prefix = Prefix.LATIN_STRING;
    } else {
      return Prefix.NONE;
    }
    for (int i = 0; i < size; i++) {
      Object key = pairs[i].key();
      if (key == null || key.getClass() != type) {
        return Prefix.NONE;
      }
      if (prefix == Prefix.LATIN_STRING && !beginsLatin((String) key)) {
        prefix = Prefix.STRING;
      }
    }
    return prefix;
  }

  private static boolean beginsLatin(String text) {
    int length = Math.min(8, text.length());
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }

  /// Numbers order as unsigned.
  private static long number(Prefix prefix, Object key) {
    return switch (prefix) {
      case LONG -> (Long) key ^ Long.MIN_VALUE;
      case INTEGER -> (Integer) key + (1L << 31);
      case LATIN_STRING -> stringNumber((String) key, 8, 8);
      case STRING -> stringNumber((String) key, 4, 16);
      case NONE -> throw new IllegalStateException("no number stands for such keys");
    };
  }

  private static long stringNumber(String text, int characters, int bits) {
    long number = 0;
    for (int i = 0; i < characters; i++) {
      number = number << bits | (i < text.length() ? text.charAt(i) : 0);
    }
    return number;
  }

  /// Sorts by the lowest digits first; digits in which all numbers agree cost nothing.
  ///
  /// @return positions in the order of their numbers
  private static int[] radixSort(long[] numbers, int[] positions) {
    int size = numbers.length;
    long varying = 0;
    for (long number : numbers) {
      varying |= number ^ numbers[0];
    }
    long[] from = numbers;
    long[] to = new long[size];
    int[] fromPositions = positions;
    int[] toPositions = new int[size];
    int[] starts = new int[DIGITS];
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
      if ((varying >>> shift & DIGITS - 1) == 0) {
        continue;
      }
      Arrays.fill(starts, 0);
      for (int i = 0; i < size; i++) {
        starts[(int) (from[i] >>> shift) & DIGITS - 1]++;
      }
      int start = 0;
      for (int digit = 0; digit < DIGITS; digit++) {
        int count = starts[digit];
        starts[digit] = start;
        start += count;
      }
      for (int i = 0; i < size; i++) {
        int at = starts[(int) (from[i] >>> shift) & DIGITS - 1]++;
        to[at] = from[i];
        toPositions[at] = fromPositions[i];
      }
      long[] sorted = to;
      to = from;
      from = sorted;
      int[] sortedPositions = toPositions;
      toPositions = fromPositions;
      fromPositions = sortedPositions;
    }
    return fromPositions;
  }

  private static <K> void sortTies(
      Pair<K, ?>[] pairs, int size, Comparator<Pair<K, ?>> order, Prefix prefix) {
    int start = 0;
    while (start < size) {
      long number = number(prefix, pairs[start].key());
      int end = start + 1;
      while (end < size && number(prefix, pairs[end].key()) == number) {
        end++;
      }
      if (end - start > 1) {
        Arrays.sort(pairs, start, end, order);
      }
      start = end;
    }
  }
}
