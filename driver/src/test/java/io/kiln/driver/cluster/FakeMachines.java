package io.kiln.driver.cluster;

import io.kiln.base.machine.Address;
import io.kiln.runtime.Edge;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.task.TaskMessage;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/// Keeps what the machines would hear.
final class FakeMachines implements Machines {
  final BlockingQueue<TaskMessage> tasks = new LinkedBlockingQueue<>();
  final BlockingQueue<AllocationMessage> allocation = new LinkedBlockingQueue<>();
  final Map<Address, Edge> edges = new ConcurrentHashMap<>();

  @Override
  public void toTasks(TaskMessage message) {
    tasks.add(message);
  }

  @Override
  public void toDag(DagMessage message) {
    throw new AssertionError("nobody asks for " + message);
  }

  @Override
  public void toAllocation(AllocationMessage message) {
    allocation.add(message);
  }

  @Override
  public void addEdge(Address address, Edge edge) {
    edges.put(address, edge);
  }

  @Override
  public void removeEdge(Address address) {
    edges.remove(address);
  }
}
