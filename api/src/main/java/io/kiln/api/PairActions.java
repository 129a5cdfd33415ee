package io.kiln.api;

import io.kiln.api.function.BinaryOperator;
import io.kiln.api.spi.KeyHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The actions of [PairRDD].
final class PairActions {

  private PairActions() {}

  static <K, V> Map<K, V> reduceLocally(PairRDD<K, V> pairs, BinaryOperator<V> function) {
    Map<K, V> all = new HashMap<>();
    for (Map<K, V> part :
        pairs
            .context()
            .runJob(
                pairs,
                (_, records) -> {
                  Map<K, V> reduced = new HashMap<>();
                  records.forEach(
                      pair -> {
                        merge(reduced, pair.key(), pair.value(), function);
                        return true;
                      });
                  return reduced;
                })) {
      part.forEach(
          (key, value) ->
              Unchecked.get(
                  () -> {
                    merge(all, key, value, function);
                    return null;
                  }));
    }
    return all;
  }

  private static <K, V> void merge(Map<K, V> map, K key, V value, BinaryOperator<V> function)
      throws Exception {
    KeyHash.require(key);
    map.put(key, map.containsKey(key) ? function.apply(map.get(key), value) : value);
  }

  /// The tasks count: what moves is a map a partition.
  static <K, V> Map<K, Long> countByKey(PairRDD<K, V> pairs) {
    return Actions.countByValue(pairs.keys());
  }

  static <K, V> Map<K, V> collectAsMap(PairRDD<K, V> pairs) {
    Map<K, V> map = new HashMap<>();
    for (Pair<K, V> pair : pairs.collect()) {
      map.put(pair.key(), pair.value());
    }
    return map;
  }

  static <K, V> List<V> lookup(PairRDD<K, V> pairs, K key) {
    KeyHash.require(key);
    Optional<Partitioner> partitioner = pairs.partitioner();
    if (pairs.numPartitions() == 0) {
      return new ArrayList<>();
    }
    if (partitioner.isEmpty()) {
      return pairs.filter(pair -> Objects.equals(pair.key(), key)).values().collect();
    }
    List<List<V>> found =
        pairs
            .context()
            .runJob(
                pairs,
                (_, records) -> {
                  List<V> values = new ArrayList<>();
                  records.forEach(
                      pair -> {
                        if (Objects.equals(pair.key(), key)) {
                          values.add(pair.value());
                        }
                        return true;
                      });
                  return values;
                },
                new int[] {partitioner.get().partition(key)});
    return found.get(0);
  }
}
