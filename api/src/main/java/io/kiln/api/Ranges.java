package io.kiln.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// Part of an RDD by a range of keys.
final class Ranges {

  private Ranges() {}

  static <K, V> PairRDD<K, V> filter(
      PairRDD<K, V> pairs, K lower, K upper, Comparator<? super K> order) {
    boolean placesNull = !order.equals(Comparator.naturalOrder());
    if (!placesNull) {
      Arguments.present(lower, "filterByRange", "lower bound");
      Arguments.present(upper, "filterByRange", "upper bound");
    }
    RDD<Pair<K, V>> candidates = pairs;
    Optional<Partitioner> partitioner = pairs.partitioner();
    if (partitioner.isPresent()
        && partitioner.get() instanceof RangePartitioner<?> ranges
        && ranges.order().equals(order)
        && order.compare(lower, upper) <= 0) {
      candidates =
          new PartitionSpanRDD<>(pairs, ranges.partition(lower), ranges.partition(upper) + 1);
    }
    return PairRDD.from(
        new FilterRDD<>(
            candidates,
            pair -> {
              K key = pair.key();
              if (key == null && !placesNull) {
                throw nullKey();
              }
              return order.compare(key, lower) >= 0 && order.compare(key, upper) <= 0;
            }));
  }

  private static KilnException nullKey() {
    return new KilnException(
        "KEY_NULL",
        KilnException.Kind.APPLICATION,
        "filterByRange found a pair whose key is null, which has no place in the natural order of"
            + " keys; filter such pairs out before, or give an order that places null");
  }

  /// Some neighbouring partitions of its parent; the others are not computed.
  private static final class PartitionSpanRDD<T> extends RDD<T> {
    private final int first;
    private final int end;

    private record SpanPartition(int index, Partition partition) implements Partition {}

    PartitionSpanRDD(RDD<T> parent, int first, int end) {
      super(parent.context(), List.of(new RangeDependency<>(parent, first, 0, end - first)));
      this.first = first;
      this.end = end;
    }

    @Override
    protected List<Partition> computePartitions() {
      List<Partition> partitions = new ArrayList<>(end - first);
      for (Partition partition : parent(0).partitions().subList(first, end)) {
        partitions.add(new SpanPartition(partitions.size(), partition));
      }
      return partitions;
    }

    @Override
    public Iterator<T> compute(Partition split, TaskContext task) throws Exception {
      RDD<T> parent = parent(0);
      return parent.iterator(((SpanPartition) split).partition(), task);
    }

    @Override
    protected void push(Partition split, TaskContext task, Sink<? super T> sink) throws Exception {
      RDD<T> parent = parent(0);
      parent.forEachRecord(((SpanPartition) split).partition(), task, sink);
    }
  }
}
