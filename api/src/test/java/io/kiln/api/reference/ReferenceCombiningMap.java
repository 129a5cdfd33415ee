package io.kiln.api.reference;

import io.kiln.api.Aggregator;
import io.kiln.api.Pair;
import io.kiln.api.Records;
import io.kiln.api.spi.CombiningMap;
import java.util.HashMap;
import java.util.Map;

/// Combines in a hash map.
final class ReferenceCombiningMap<K, V, C> implements CombiningMap<K, V, C> {
  private final Aggregator<V, C> aggregator;
  private final Map<K, C> combiners = new HashMap<>();

  ReferenceCombiningMap(Aggregator<V, C> aggregator) {
    this.aggregator = aggregator;
  }

  @Override
  public void insert(K key, V value) throws Exception {
    combiners.put(
        key,
        combiners.containsKey(key)
            ? aggregator.mergeValue().apply(combiners.get(key), value)
            : aggregator.createCombiner().apply(value));
  }

  void join(K key, C combiner) throws Exception {
    combiners.put(
        key,
        combiners.containsKey(key)
            ? aggregator.mergeCombiners().apply(combiners.get(key), combiner)
            : combiner);
  }

  @Override
  public Records<Pair<K, C>> results() {
    return () ->
        combiners.entrySet().stream()
            .map(entry -> Pair.of(entry.getKey(), entry.getValue()))
            .iterator();
  }
}
