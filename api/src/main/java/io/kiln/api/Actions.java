package io.kiln.api;

import io.kiln.api.function.BiFunction;
import io.kiln.api.function.BinaryOperator;
import io.kiln.api.function.Consumer;
import io.kiln.api.spi.KeyHash;
import io.kiln.api.spi.PartitionFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/// The actions of [RDD].
final class Actions {
  private static final int SCALE_UP_FACTOR = 4;

  private Actions() {}

  static <T> List<T> toList(Records<T> records) throws Exception {
    List<T> list = new ArrayList<>();
    records.forEach(
        value -> {
          list.add(value);
          return true;
        });
    return list;
  }

  static long size(Records<?> records) throws Exception {
    Counter<Object> counter = new Counter<>();
    records.forEach(counter);
    return counter.count;
  }

  private static final class Counter<T> implements Sink<T> {
    private long count;

    @Override
    public boolean accept(T value) {
      count++;
      return true;
    }
  }

  @SuppressWarnings("unchecked") // fails where the records have no order, in the user's task
  static <T> Comparator<T> naturalOrder() {
    return (Comparator<T>) Comparator.naturalOrder();
  }

  static KilnException empty(String operation) {
    return new KilnException(
        "EMPTY_RDD",
        KilnException.Kind.USER,
        operation + " of an RDD without records; check isEmpty() first, or use fold");
  }

  static <T> List<T> collect(RDD<T> rdd) {
    return concatenated(rdd.context().runJob(rdd, (_, records) -> toList(records)));
  }

  static <T> List<T> concatenated(List<List<T>> parts) {
    List<T> all = new ArrayList<>(parts.stream().mapToInt(List::size).sum());
    parts.forEach(all::addAll);
    return all;
  }

  static long count(RDD<?> rdd) {
    return total(counts(rdd));
  }

  private static <T> List<Long> counts(RDD<T> rdd) {
    return rdd.context().runJob(rdd, (_, records) -> size(records));
  }

  static long total(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  static <T> Map<T, Long> countByValue(RDD<T> rdd) {
    Map<T, Long> all = new HashMap<>();
    for (Map<T, Long> part : rdd.context().runJob(rdd, (_, records) -> histogram(records))) {
      part.forEach((value, count) -> all.merge(value, count, Long::sum));
    }
    return all;
  }

  static <T> Map<T, Long> histogram(Records<T> records) throws Exception {
    Map<T, Long> counts = new HashMap<>();
    records.forEach(
        value -> {
          KeyHash.require(value);
          counts.merge(value, 1L, Long::sum);
          return true;
        });
    return counts;
  }

  static <T> void foreach(RDD<T> rdd, Consumer<? super T> action) {
    rdd.context().runJob(rdd, eachRecord(action));
  }

  static <T> PartitionFunction<T, Boolean> eachRecord(Consumer<? super T> action) {
    return (_, records) -> {
      records.forEach(
          value -> {
            action.accept(value);
            return true;
          });
      return true;
    };
  }

  static <T> void foreachPartition(RDD<T> rdd, Consumer<Iterator<T>> action) {
    rdd.context().runJob(rdd, eachPartition(action));
  }

  static <T> PartitionFunction<T, Boolean> eachPartition(Consumer<Iterator<T>> action) {
    return (_, records) -> {
      action.accept(records.iterator());
      return true;
    };
  }

  static <T> T first(RDD<T> rdd) {
    List<T> first = take(rdd, 1);
    if (first.isEmpty()) {
      throw empty("first");
    }
    return first.get(0);
  }

  static <T> List<T> take(RDD<T> rdd, int count) {
    List<T> taken = new ArrayList<>();
    if (count <= 0) {
      return taken;
    }
    int scanned = 0;
    int total = rdd.numPartitions();
    while (taken.size() < count && scanned < total) {
      int left = count - taken.size();
      int next = (int) Math.min(total - scanned, partitionsToTry(scanned, taken.size(), left));
      List<List<T>> parts =
          rdd.context()
              .runJob(
                  rdd,
                  (_, records) -> firstOf(records, left),
                  IntStream.range(scanned, scanned + next).toArray());
      for (List<T> part : parts) {
        taken.addAll(part.subList(0, Math.min(part.size(), count - taken.size())));
      }
      scanned += next;
    }
    return taken;
  }

  /// One at first; then as many as seem to be needed, with half as many again to be safe, but no
  /// more than four times what was looked at.
  static long partitionsToTry(int scanned, int found, int left) {
    if (scanned == 0) {
      return 1;
    }
    long most = (long) scanned * SCALE_UP_FACTOR;
    if (found == 0) {
      return most;
    }
    long estimate = (long) Math.ceil(1.5 * left * scanned / found) - scanned;
    return Math.clamp(estimate, 1, most);
  }

  private static <T> List<T> firstOf(Records<T> records, int count) throws Exception {
    List<T> list = new ArrayList<>();
    records.forEach(
        value -> {
          list.add(value);
          return list.size() < count;
        });
    return list;
  }

  /// Each task keeps the `count` first in a heap whose head is the last of them.
  static <T> List<T> takeOrdered(RDD<T> rdd, int count, Comparator<? super T> order) {
    if (count <= 0) {
      return new ArrayList<>();
    }
    BoundedHeap<T> all = new BoundedHeap<>(count, order);
    for (List<T> part :
        rdd.context()
            .runJob(
                rdd,
                (_, records) -> {
                  BoundedHeap<T> heap = new BoundedHeap<>(count, order);
                  records.forEach(heap);
                  return heap.sorted();
                })) {
      part.forEach(all::accept);
    }
    return all.sorted();
  }

  /// The `limit` first records by an order.
  private static final class BoundedHeap<T> implements Sink<T> {
    private final int limit;
    private final Comparator<? super T> order;
    private final PriorityQueue<T> worstFirst;

    BoundedHeap(int limit, Comparator<? super T> order) {
      this.limit = limit;
      this.order = order;
      this.worstFirst = new PriorityQueue<>(order.reversed());
    }

    @Override
    public boolean accept(T value) {
      if (worstFirst.size() < limit) {
        worstFirst.add(value);
      } else if (order.compare(value, worstFirst.peek()) < 0) {
        worstFirst.poll();
        worstFirst.add(value);
      }
      return true;
    }

    List<T> sorted() {
      List<T> list = new ArrayList<>(worstFirst);
      list.sort(order);
      return list;
    }
  }

  static <T> T reduce(RDD<T> rdd, BinaryOperator<T> function, String operation) {
    Reduction<T> all = new Reduction<>(function);
    for (List<T> part :
        rdd.context()
            .runJob(
                rdd,
                (_, records) -> {
                  Reduction<T> reduction = new Reduction<>(function);
                  records.forEach(reduction);
                  return reduction.result();
                })) {
      part.forEach(value -> Unchecked.get(() -> all.accept(value)));
    }
    List<T> result = all.result();
    if (result.isEmpty()) {
      throw empty(operation);
    }
    return result.get(0);
  }

  /// Records made one as they come.
  static final class Reduction<T> implements Sink<T> {
    private final BinaryOperator<T> function;
    private T value;
    private boolean hasValue;

    Reduction(BinaryOperator<T> function) {
      this.function = function;
    }

    @Override
    public boolean accept(T next) throws Exception {
      value = hasValue ? function.apply(value, next) : next;
      hasValue = true;
      return true;
    }

    /// One value or, without records, none.
    List<T> result() {
      List<T> result = new ArrayList<>(1);
      if (hasValue) {
        result.add(value);
      }
      return result;
    }
  }

  static <T, U> U aggregate(
      RDD<T> rdd, ZeroValue<U> zero, BiFunction<U, ? super T, U> add, BinaryOperator<U> join) {
    List<U> parts = rdd.context().runJob(rdd, (_, records) -> aggregated(records, zero, add));
    U all = zero.fresh();
    for (U part : parts) {
      U joined = all;
      all = Unchecked.get(() -> join.apply(joined, part));
    }
    return all;
  }

  static <T, U> U aggregated(Records<T> records, ZeroValue<U> zero, BiFunction<U, ? super T, U> add)
      throws Exception {
    Aggregation<T, U> aggregation = new Aggregation<>(zero.fresh(), add);
    records.forEach(aggregation);
    return aggregation.value;
  }

  private static final class Aggregation<T, U> implements Sink<T> {
    private final BiFunction<U, ? super T, U> add;
    private U value;

    Aggregation(U zero, BiFunction<U, ? super T, U> add) {
      this.value = zero;
      this.add = add;
    }

    @Override
    public boolean accept(T next) throws Exception {
      value = add.apply(value, next);
      return true;
    }
  }

  static <T> Iterator<T> toLocalIterator(RDD<T> rdd, boolean prefetch) {
    return new PartitionWiseIterator<>(rdd, prefetch);
  }

  /// Runs a job a partition, when the iterator gets there or one partition earlier.
  private static final class PartitionWiseIterator<T> implements Iterator<T> {
    private final RDD<T> rdd;
    private final boolean prefetch;
    private int nextPartition;
    private Optional<JobFuture<List<T>>> underWay = Optional.empty();
    private Iterator<T> current = List.<T>of().iterator();

    PartitionWiseIterator(RDD<T> rdd, boolean prefetch) {
      this.rdd = rdd;
      this.prefetch = prefetch;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext()) {
        if (underWay.isEmpty() && nextPartition == rdd.numPartitions()) {
          return false;
        }
        current =
            prefetch
                ? prefetched().iterator()
                : rdd.collectPartitions(nextPartition++).get(0).iterator();
      }
      return true;
    }

    private List<T> prefetched() {
      JobFuture<List<T>> ready = underWay.orElseGet(this::submitNext);
      List<T> records = ready.await();
      underWay = nextPartition < rdd.numPartitions() ? Optional.of(submitNext()) : Optional.empty();
      return records;
    }

    private JobFuture<List<T>> submitNext() {
      return AsyncActions.submit(
          rdd, (_, records) -> toList(records), new int[] {nextPartition++}, parts -> parts.get(0));
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return current.next();
    }
  }
}
