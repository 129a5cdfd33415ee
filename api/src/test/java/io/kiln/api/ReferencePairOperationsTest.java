package io.kiln.api;

import io.kiln.api.contract.PairOperationsContract;
import io.kiln.api.reference.ReferenceEngineProvider;

/// The contract over the reference engine.
final class ReferencePairOperationsTest extends PairOperationsContract {
  private static final KilnContext CONTEXT = ReferenceEngineProvider.newContext();

  @Override
  protected KilnContext context() {
    return CONTEXT;
  }
}
