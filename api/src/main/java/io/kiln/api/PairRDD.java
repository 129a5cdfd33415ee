package io.kiln.api;

/** x */
public class PairRDD<K, V> {
  static int f(Object o) {
    return switch (o) {
      case Pair(var k, var _) -> k.hashCode();
      default -> 0;
    };
  }
}
