package io.kiln.api;

import io.kiln.api.contract.PairOperationsContract;

/// The contract over the reference engine.
final class ReferencePairOperationsTest extends PairOperationsContract {
  private static final KilnContext CONTEXT = KilnContext.create(new KilnConf(false));

  @Override
  protected KilnContext context() {
    return CONTEXT;
  }
}
