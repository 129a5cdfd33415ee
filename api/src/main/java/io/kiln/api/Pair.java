package io.kiln.api;

import java.io.Serializable;

/// A key and a value: the record type of a [PairRDD].
///
/// Either may be `null`. Equality and hash are those of a record over both components.
public record Pair<K, V>(K key, V value) implements Serializable {

  /// Same as the constructor, with inferred types.
  public static <K, V> Pair<K, V> of(K key, V value) {
    return new Pair<>(key, value);
  }

  @Override
  public String toString() {
    return "(" + key + "," + value + ")";
  }
}
