package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.contract.PairOperationsContract;

/// The operations on pairs where tasks run in other processes, whose data are fetched from each
/// other.
final class ProcessesPairOperationsTest extends PairOperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.PROCESSES.context();
  }
}
