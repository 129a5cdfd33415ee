package io.kiln.cluster.worker;

import io.kiln.base.machine.Turn;
import io.kiln.cluster.protocol.DriverReport;
import io.kiln.cluster.protocol.ExecutorReport;

/// Tells the master of changes, if there is one now.
interface Reporter {
  void tell(ExecutorReport executor, Turn turn);

  void tell(DriverReport driver, Turn turn);
}
