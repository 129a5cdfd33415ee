package io.kiln.bench;

import io.kiln.bench.work.BenchArguments;
import io.kiln.bench.work.PairSource;
import io.kiln.bench.work.SortedRun;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Makes all the pairs as objects, as a program for an engine does, and sorts them by key.
final class SingleThreadSort {
  private record LongPair(long key, long value) {}

  private final LongPair[] pairs;

  private SingleThreadSort(LongPair[] pairs) {
    this.pairs = pairs;
  }

  static SingleThreadSort of(BenchArguments arguments) {
    int each = arguments.sizePerPartition();
    LongPair[] pairs = new LongPair[each * arguments.partitions()];
    int next = 0;
    for (int partition = 0; partition < arguments.partitions(); partition++) {
      PairSource source = PairSource.ofLongKeys(partition, each);
      while (source.hasNext()) {
        source.advance();
        pairs[next] = new LongPair(source.key(), source.value());
        next++;
      }
    }
    Arrays.sort(pairs, Comparator.comparingLong(LongPair::key));
    return new SingleThreadSort(pairs);
  }

  long count() {
    return pairs.length;
  }

  String description() {
    return SortedRun.describe(
        List.of(SortedRun.of(Arrays.asList(pairs).iterator(), LongPair::key, LongPair::value)));
  }
}
