package io.kiln.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/// Grouping and joining by key; all joins are made of a cogroup.
final class Joins {

  private Joins() {}

  static <K, V> PairRDD<K, Iterable<V>> group(RDD<Pair<K, V>> pairs, Partitioner partitioner) {
    Aggregator<V, Iterable<V>> lists =
        new Aggregator<>(
            first -> {
              List<V> list = new ArrayList<>();
              list.add(first);
              return list;
            },
            (list, next) -> {
              ((List<V>) list).add(next);
              return list;
            },
            (left, right) -> {
              ((List<V>) left).addAll((List<V>) right);
              return left;
            });
    return PairShuffles.combine(pairs, lists, partitioner, false);
  }

  static <K> PairRDD<K, List<List<Object>>> cogroupLists(
      Partitioner partitioner, List<? extends RDD<? extends Pair<K, ?>>> rdds) {
    Arguments.present(partitioner, "a join or cogroup", "partitioner");
    List<RDD<Pair<K, Object>>> parents = new ArrayList<>();
    for (RDD<?> rdd : Arguments.allPresent(rdds, "a join or cogroup", "other RDD")) {
      parents.add(Transformations.castRecords(rdd));
    }
    return PairRDD.from(new CoGroupedRDD<>(parents, partitioner));
  }

  @SuppressWarnings("unchecked") // the caller knows which RDD the list came from
  private static <V> List<V> list(List<List<Object>> lists, int source) {
    return (List<V>) (List<?>) lists.get(source);
  }

  static <K, V, W> PairRDD<K, Pair<Iterable<V>, Iterable<W>>> cogroup(
      RDD<Pair<K, V>> first, RDD<Pair<K, W>> second, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(first, second))
        .mapValues(lists -> new Pair<>(list(lists, 0), list(lists, 1)));
  }

  static <K, V, W, X> PairRDD<K, Triple<Iterable<V>, Iterable<W>, Iterable<X>>> cogroup(
      RDD<Pair<K, V>> first,
      RDD<Pair<K, W>> second,
      RDD<Pair<K, X>> third,
      Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(first, second, third))
        .mapValues(lists -> new Triple<>(list(lists, 0), list(lists, 1), list(lists, 2)));
  }

  static <K, V, W, X, Y>
      PairRDD<K, Quad<Iterable<V>, Iterable<W>, Iterable<X>, Iterable<Y>>> cogroup(
          RDD<Pair<K, V>> first,
          RDD<Pair<K, W>> second,
          RDD<Pair<K, X>> third,
          RDD<Pair<K, Y>> fourth,
          Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(first, second, third, fourth))
        .mapValues(
            lists -> new Quad<>(list(lists, 0), list(lists, 1), list(lists, 2), list(lists, 3)));
  }

  static <K, V, W> PairRDD<K, Pair<V, W>> inner(
      RDD<Pair<K, V>> left, RDD<Pair<K, W>> right, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(left, right))
        .flatMapValues(lists -> product(Joins.<V>list(lists, 0), Joins.<W>list(lists, 1)));
  }

  static <K, V, W> PairRDD<K, Pair<V, Optional<W>>> left(
      RDD<Pair<K, V>> left, RDD<Pair<K, W>> right, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(left, right))
        .flatMapValues(
            lists -> product(Joins.<V>list(lists, 0), optional(Joins.<W>list(lists, 1))));
  }

  static <K, V, W> PairRDD<K, Pair<Optional<V>, W>> right(
      RDD<Pair<K, V>> left, RDD<Pair<K, W>> right, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(left, right))
        .flatMapValues(
            lists -> product(optional(Joins.<V>list(lists, 0)), Joins.<W>list(lists, 1)));
  }

  static <K, V, W> PairRDD<K, Pair<Optional<V>, Optional<W>>> full(
      RDD<Pair<K, V>> left, RDD<Pair<K, W>> right, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(left, right))
        .flatMapValues(
            lists -> product(optional(Joins.<V>list(lists, 0)), optional(Joins.<W>list(lists, 1))));
  }

  /// The values as optionals; without values, one that is empty. A `null` value is as good as none.
  private static <V> List<Optional<V>> optional(List<V> values) {
    if (values.isEmpty()) {
      return List.of(Optional.empty());
    }
    List<Optional<V>> optionals = new ArrayList<>(values.size());
    for (V value : values) {
      optionals.add(Optional.ofNullable(value));
    }
    return optionals;
  }

  private static <V, W> Iterator<Pair<V, W>> product(List<V> left, List<W> right) {
    return left.isEmpty() || right.isEmpty()
        ? Collections.emptyIterator()
        : new ProductIterator<>(left, right);
  }

  private static final class ProductIterator<V, W> implements Iterator<Pair<V, W>> {
    private final List<V> left;
    private final List<W> right;
    private int leftPosition;
    private int rightPosition;

    ProductIterator(List<V> left, List<W> right) {
      this.left = left;
      this.right = right;
    }

    @Override
    public boolean hasNext() {
      return leftPosition < left.size();
    }

    @Override
    public Pair<V, W> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Pair<V, W> pair = new Pair<>(left.get(leftPosition), right.get(rightPosition));
      rightPosition++;
      if (rightPosition == right.size()) {
        rightPosition = 0;
        leftPosition++;
      }
      return pair;
    }
  }

  static <K, V, W> PairRDD<K, V> subtract(
      RDD<Pair<K, V>> left, RDD<Pair<K, W>> right, Partitioner partitioner) {
    return Joins.<K>cogroupLists(partitioner, Arrays.asList(left, right))
        .filter(group -> group.value().get(1).isEmpty())
        .flatMapValues(lists -> Joins.<V>list(lists, 0).iterator());
  }
}
