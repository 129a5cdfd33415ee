package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.PairRDD;
import io.kiln.api.contract.PairOperationsContract;

/// The operations on pairs where nearly nothing fits into memory, on inputs kept at all levels.
final class TinyMemoryPairOperationsTest extends PairOperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.TINY_MEMORY.context();
  }

  @Override
  protected <K, V> PairRDD<K, V> input(PairRDD<K, V> rdd) {
    return Engines.persisted(rdd);
  }
}
