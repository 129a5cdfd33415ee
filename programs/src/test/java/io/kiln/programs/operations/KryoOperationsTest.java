package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.contract.OperationsContract;

/// The operations with Kryo, on inputs kept at all levels, also outside the heap.
final class KryoOperationsTest extends OperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.KRYO.context();
  }

  @Override
  protected <T> RDD<T> input(RDD<T> rdd) {
    return Engines.persisted(rdd);
  }
}
