package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.PairRDD;
import io.kiln.api.contract.PairOperationsContract;

/// The operations on pairs with Java serialization, without compression, on kept inputs.
final class JavaPairOperationsTest extends PairOperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.JAVA_UNCOMPRESSED.context();
  }

  @Override
  protected <K, V> PairRDD<K, V> input(PairRDD<K, V> rdd) {
    return Engines.persisted(rdd);
  }
}
