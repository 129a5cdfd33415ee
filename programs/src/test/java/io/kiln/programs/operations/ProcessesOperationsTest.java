package io.kiln.programs.operations;

import io.kiln.api.KilnContext;
import io.kiln.api.contract.OperationsContract;

/// The operations where tasks run in other processes, whose data are fetched from each other.
final class ProcessesOperationsTest extends OperationsContract {
  @Override
  protected KilnContext context() {
    return Engines.PROCESSES.context();
  }
}
