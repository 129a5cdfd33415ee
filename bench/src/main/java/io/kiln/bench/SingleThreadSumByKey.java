package io.kiln.bench;

import io.kiln.bench.work.BenchArguments;
import io.kiln.bench.work.PairSource;
import io.kiln.bench.work.Workload;
import java.util.HashMap;
import java.util.Map;

/// Sums by key in a [HashMap] of boxed keys whose values are counters changed in place.
final class SingleThreadSumByKey {
  private static final class Counter {
    private long sum;
  }

  private final Map<Integer, Counter> sums = new HashMap<>();

  private SingleThreadSumByKey() {}

  static SingleThreadSumByKey of(BenchArguments arguments) {
    SingleThreadSumByKey table = new SingleThreadSumByKey();
    for (int partition = 0; partition < arguments.partitions(); partition++) {
      table.add(
          PairSource.ofKeysBelow(Workload.DISTINCT_KEYS, partition, arguments.sizePerPartition()));
    }
    return table;
  }

  long distinct() {
    return sums.size();
  }

  long total() {
    long total = 0;
    for (Counter counter : sums.values()) {
      total += counter.sum;
    }
    return total;
  }

  private void add(PairSource source) {
    while (source.hasNext()) {
      source.advance();
      sums.computeIfAbsent(source.intKey(), key -> new Counter()).sum += source.value();
    }
  }
}
