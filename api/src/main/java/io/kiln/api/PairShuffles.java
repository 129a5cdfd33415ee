package io.kiln.api;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// The transformations that move pairs by key, and how many partitions they get.
final class PairShuffles {

  private PairShuffles() {}

  /// For a shuffle of these RDDs that was given no number.
  static int defaultPartitions(RDD<?>... rdds) {
    KilnContext context = rdds[0].context();
    if (context.hasDefaultParallelism()) {
      return context.defaultParallelism();
    }
    return Stream.of(rdds).mapToInt(RDD::numPartitions).max().orElse(0);
  }

  /// The largest partitioner among `rdds`, if it is no less than a tenth of the largest RDD or has
  /// at least the default number of partitions; else a new one by hash.
  static Partitioner defaultPartitioner(RDD<?>... rdds) {
    Arguments.allPresent(Arrays.asList(rdds), "an operation on several RDDs", "other RDD");
    int wanted = defaultPartitions(rdds);
    int largest = Stream.of(rdds).mapToInt(RDD::numPartitions).max().orElse(0);
    Optional<Partitioner> present =
        Stream.of(rdds)
            .flatMap(rdd -> rdd.partitioner().stream())
            .max(Comparator.comparingInt(Partitioner::numPartitions));
    return present
        .filter(p -> largest < 10L * p.numPartitions() || wanted <= p.numPartitions())
        .orElseGet(() -> HashPartitioner.forInput(wanted));
  }

  static <K, V, C> PairRDD<K, C> combine(
      RDD<Pair<K, V>> pairs,
      Aggregator<V, C> aggregator,
      Partitioner partitioner,
      boolean mapSideCombine) {
    Arguments.present(partitioner, "an operation by key", "partitioner");
    if (pairs.partitioner().equals(Optional.of(partitioner))) {
      return PairRDD.from(
          new MapPartitionsRDD<Pair<K, V>, Pair<K, C>>(
              pairs,
              (task, _, records) -> {
                var combined = task.runtime().<K, V, C>combiningMap(aggregator);
                records.forEach(
                    pair -> {
                      combined.insert(pair.key(), pair.value());
                      return true;
                    });
                return combined.results();
              },
              true));
    }
    ShuffleDependency<K, V, C> shuffle =
        ShuffleDependency.<K, V, C>builder(pairs, partitioner)
            .aggregator(aggregator, mapSideCombine)
            .build();
    return PairRDD.from(new ShuffledRDD<>(pairs.context(), shuffle));
  }

  static <K, V> PairRDD<K, V> partitionBy(RDD<Pair<K, V>> pairs, Partitioner partitioner) {
    Arguments.present(partitioner, "partitionBy", "partitioner");
    if (pairs.partitioner().equals(Optional.of(partitioner))) {
      return PairRDD.from(pairs);
    }
    return PairRDD.from(
        new ShuffledRDD<>(pairs.context(), ShuffleDependency.of(pairs, partitioner)));
  }

  static <K, V> PairRDD<K, V> sortWithin(
      RDD<Pair<K, V>> pairs, Partitioner partitioner, Comparator<? super K> order) {
    Arguments.present(partitioner, "repartitionAndSortWithinPartitions", "partitioner");
    ShuffleDependency<K, V, V> shuffle =
        ShuffleDependency.<K, V, V>builder(pairs, partitioner).keyOrder(order).build();
    return PairRDD.from(new ShuffledRDD<>(pairs.context(), shuffle));
  }
}
