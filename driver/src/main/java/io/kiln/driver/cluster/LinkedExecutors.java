package io.kiln.driver.cluster;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.Peer;
import io.kiln.protocol.DriverQuestion.RegisterExecutor;
import io.kiln.protocol.ExecutorCommand;
import io.kiln.protocol.ExecutorCommand.Stop;
import io.kiln.protocol.ExecutorProtocol;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.task.TaskMessage.TasksUpdated;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The executors that have registered and whose link is open. The machines hear of each that comes
/// or goes; what is known of one is forgotten when it goes. Thread-safe.
final class LinkedExecutors implements LinkListener {
  private static final String EDGE = "executor";

  private final Machines machines;
  private final BlockDirectory blocks = new BlockDirectory();
  private final LargeStages largeStages = new LargeStages();
  private final RegisteredSlots slots = new RegisteredSlots();
  private final Map<String, RemoteExecutor> executors = new ConcurrentHashMap<>();
  private volatile boolean ending;

  LinkedExecutors(Machines machines) {
    this.machines = machines;
  }

  /// Which of them have which blocks.
  BlockDirectory blocks() {
    return blocks;
  }

  /// What they fetch of stages.
  LargeStages largeStages() {
    return largeStages;
  }

  /// How many tasks they run at once.
  RegisteredSlots slots() {
    return slots;
  }

  Optional<RemoteExecutor> find(String executorId) {
    return Optional.ofNullable(executors.get(executorId));
  }

  Collection<RemoteExecutor> all() {
    return executors.values();
  }

  /// Takes an executor in, which gets tasks from now on.
  ///
  /// @param first what it is told before anything else, asked for once it also hears what all are
  ///     told
  /// @throws KilnException `EXECUTOR_REFUSED` if it isn't who it says, comes twice or comes too
  /// late
  void register(Link from, RegisterExecutor register, StandingCommands first) {
    String id = register.executorId();
    Peer peer = from.peer().orElseThrow();
    if (ending) {
      throw refused("the application is ending");
    }
    if (!peer.process().equals(ExecutorProtocol.processOf(id))) {
      throw refused("executor " + id + " introduced itself as " + peer.process());
    }
    RemoteExecutor executor =
        new RemoteExecutor(
            id,
            peer.incarnation(),
            from,
            register.data(),
            largeStages,
            report -> machines.toTasks(new TasksUpdated(report)));
    if (executors.putIfAbsent(id, executor) != null) {
      throw refused("there is an executor " + id + " already");
    }
    first.all().forEach(executor::send);
    slots.registered(id, register.slots());
    machines.addEdge(address(id), executor);
    machines.toAllocation(
        new ExecutorRegistered(
            id, peer.incarnation(), address(id), register.host(), register.slots()));
    if (from.isClosed()) {
      lost(executor, "its connection was closed");
    }
  }

  static KilnException refused(String why) {
    return new KilnException("EXECUTOR_REFUSED", KilnException.Kind.EXTERNAL, why);
  }

  @Override
  public void linkClosed(Link link, String why) {
    for (RemoteExecutor executor : List.copyOf(executors.values())) {
      if (executor.link() == link) {
        lost(executor, why);
      }
    }
  }

  private void lost(RemoteExecutor executor, String why) {
    if (executors.remove(executor.id(), executor)) {
      slots.lost(executor.id());
      largeStages.executorLost(executor.id());
      blocks.executorLost(executor.id());
      machines.removeEdge(address(executor.id()));
      tellAllocation(new LinkLost(executor.id(), executor.incarnation(), why));
    }
  }

  private static Address address(String executorId) {
    return new Address(ExecutorProtocol.processOf(executorId), EDGE);
  }

  /// At the end of the application, when the executors go, nobody has to hear of it.
  void tellAllocation(AllocationMessage message) {
    if (!ending) {
      machines.toAllocation(message);
    }
  }

  void tellAll(ExecutorCommand command) {
    executors.values().forEach(executor -> executor.send(command));
  }

  /// The application is over: tells them to end, and takes no more in.
  void end() {
    ending = true;
    tellAll(new Stop("the application has ended"));
  }

  boolean areEnding() {
    return ending;
  }
}
