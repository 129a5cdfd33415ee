package io.kiln.driver;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.driver.cluster.Machines;
import io.kiln.driver.status.ApplicationStatus;
import io.kiln.runtime.Edge;
import io.kiln.runtime.MachineHost;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.SchedulerOptions;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationOptions;
import io.kiln.scheduler.allocation.ExecutorAllocator;
import io.kiln.scheduler.dag.DagMessage;
import io.kiln.scheduler.dag.DagScheduler;
import io.kiln.scheduler.dag.JobEvent;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskScheduler;
import java.util.List;
import java.util.Optional;

/// The scheduler's machines in this process, on one thread, and the edges around them. Thread-safe.
final class SchedulerHost implements Machines, AutoCloseable {
  private static final String PROCESS = "driver";
  private static final Address DAG = new Address(PROCESS, "dag");
  private static final Address TASKS = new Address(PROCESS, "tasks");
  private static final Address ALLOCATION = new Address(PROCESS, "allocation");

  /// Where the allocation machine asks for executors.
  static final Address LAUNCHER = new Address(PROCESS, "launcher");

  /// Where jobs and those who watch hear of the progress. One address for both, so that what is
  /// said to one first is heard first.
  static final Address JOBS = new Address(PROCESS, "jobs");

  private final MachineHost host;
  private volatile JobRunner jobs;

  /// @param allocation empty where the executors are given
  SchedulerHost(SchedulerOptions options, Optional<AllocationOptions> allocation) {
    SchedulerAddresses addresses =
        new SchedulerAddresses(DAG, TASKS, List.of(JOBS), allocation.map(_ -> ALLOCATION));
    host = new MachineHost(PROCESS, System.nanoTime(), this::failed);
    host.addMachine(DAG, DagMessage.class, new DagScheduler(addresses, options));
    host.addMachine(TASKS, TaskMessage.class, new TaskScheduler(addresses, options));
    if (allocation.isPresent()) {
      host.addMachine(
          ALLOCATION,
          AllocationMessage.class,
          new ExecutorAllocator(addresses, LAUNCHER, allocation.get()));
    }
  }

  /// To be called once.
  void start(JobRunner jobRunner, ApplicationStatus status) {
    jobs = jobRunner;
    addEdge(
        JOBS,
        batch -> {
          for (Message message : batch) {
            tell(jobRunner, status, message);
          }
        });
    host.start();
  }

  private static void tell(JobRunner jobs, ApplicationStatus status, Message message) {
    if (message instanceof StatusEvent event) {
      status.accept(event);
    } else {
      jobs.receive((JobEvent) message);
    }
  }

  // A machine threw: nothing is scheduled any more, and nobody may wait for it.
  private void failed(KilnException failure) {
    jobs.schedulerFailed(failure);
  }

  @Override
  public void addEdge(Address address, Edge edge) {
    host.addEdge(address, edge);
  }

  @Override
  public void removeEdge(Address address) {
    host.removeEdge(address);
  }

  /// @throws KilnException `CONTEXT_CLOSED` or what stopped the machines
  @Override
  public void toDag(DagMessage message) {
    send(DAG, message);
  }

  /// @throws KilnException as [#toDag]
  @Override
  public void toTasks(TaskMessage message) {
    send(TASKS, message);
  }

  @Override
  public void toAllocation(AllocationMessage message) {
    send(ALLOCATION, message);
  }

  private void send(Address to, Message message) {
    try {
      host.send(to, message);
    } catch (KilnException e) {
      throw host.failure().orElseGet(JobRunner::closedException);
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
