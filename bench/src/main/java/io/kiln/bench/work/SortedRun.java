package io.kiln.bench.work;

import java.io.Serial;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongFunction;

/// What one partition of a sorted result holds, enough to tell whether the whole is sorted
/// and whole.
///
/// @param sorted whether each key is at least the one before it
/// @param keys sum of all keys, wrapping
/// @param values sum of all values, wrapping
public record SortedRun(boolean sorted, long count, long first, long last, long keys, long values)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /// Reads one partition to its end.
  public static <P> SortedRun of(
      Iterator<P> pairs, ToLongFunction<P> keyOf, ToLongFunction<P> valueOf) {
    boolean sorted = true;
    long count = 0;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    long keys = 0;
    long values = 0;
    while (pairs.hasNext()) {
      P pair = pairs.next();
      long key = keyOf.applyAsLong(pair);
      if (count == 0) {
        first = key;
      }
      sorted &= key >= last;
      last = key;
      keys += key;
      values += valueOf.applyAsLong(pair);
      count++;
    }
    return new SortedRun(sorted, count, first, last, keys, values);
  }

  /// One line about all the partitions, in their order; the same for the same data.
  public static String describe(List<SortedRun> runs) {
    boolean sorted = true;
    long count = 0;
    long last = Long.MIN_VALUE;
    long keys = 0;
    long values = 0;
    for (SortedRun run : runs) {
      if (run.count() == 0) {
        continue;
      }
      sorted &= run.sorted() && run.first() >= last;
      last = run.last();
      count += run.count();
      keys += run.keys();
      values += run.values();
    }
    return "sorted=" + sorted + " count=" + count + " keys=" + keys + " values=" + values;
  }
}
