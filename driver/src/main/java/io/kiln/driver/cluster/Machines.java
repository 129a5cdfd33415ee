package io.kiln.driver.cluster;

import io.kiln.base.machine.Address;
import io.kiln.runtime.Edge;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.task.TaskMessage;

/// The scheduler's machines as executors reach them. Thread-safe.
public interface Machines {

  /// @throws io.kiln.api.KilnException if they have stopped
  void toTasks(TaskMessage message);

  /// @throws io.kiln.api.KilnException if they have stopped
  void toDag(DagMessage message);

  /// @throws io.kiln.api.KilnException if they have stopped
  void toAllocation(AllocationMessage message);

  /// From now on, what is sent to the address goes to this edge.
  void addEdge(Address address, Edge edge);

  void removeEdge(Address address);
}
