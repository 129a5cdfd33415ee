package io.kiln.api.spi;

import io.kiln.api.Pair;
import io.kiln.api.Records;

/// Combines values by key, in memory while there is room and spilling to disk when there is not.
public interface CombiningMap<K, V, C> {

  void insert(K key, V value) throws Exception;

  /// The combined pairs, each key once, in any order. To be called once, after the last insert.
  Records<Pair<K, C>> results() throws Exception;
}
