package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import io.kiln.api.contract.OperationsContract;

/// The operations with Java serialization, without compression, on inputs kept at all levels.
final class JavaOperationsTest extends OperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.JAVA_UNCOMPRESSED.context();
  }

  @Override
  protected <T> RDD<T> input(RDD<T> rdd) {
    return Engines.persisted(rdd);
  }
}
