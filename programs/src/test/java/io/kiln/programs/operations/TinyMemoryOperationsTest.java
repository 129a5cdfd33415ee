package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.contract.OperationsContract;

/// The operations where nearly nothing fits into memory, on inputs kept at all levels.
final class TinyMemoryOperationsTest extends OperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.TINY_MEMORY.context();
  }

  @Override
  protected <T> RDD<T> input(RDD<T> rdd) {
    return Engines.persisted(rdd);
  }
}
