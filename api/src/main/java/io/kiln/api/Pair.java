package io.kiln.api;

import java.io.Serializable;

/// A key and a value: the record type of a [PairRDD].
///
/// Either may be `null`. Two pairs are equal if both their components are.
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
