package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.contract.PairOperationsContract;

/// The operations on pairs over an engine as most people start it.
final class TwoSlotsPairOperationsTest extends PairOperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.TWO_SLOTS.context();
  }
}
