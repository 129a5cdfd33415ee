package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.contract.OperationsContract;

/// The operations over an engine as most people start it.
final class TwoSlotsOperationsTest extends OperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.TWO_SLOTS.context();
  }
}
