package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.PairRDD;
import io.kiln.api.contract.PairOperationsContract;

/// The operations on pairs with Kryo, on inputs kept at all levels, also outside the heap.
final class KryoPairOperationsTest extends PairOperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.KRYO.context();
  }

  @Override
  protected <K, V> PairRDD<K, V> input(PairRDD<K, V> rdd) {
    return Engines.persisted(rdd);
  }
}
