package io.kiln.simulation.cluster;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.cluster.client.ClientEvent;
import io.kiln.cluster.client.ClientNews;
import io.kiln.cluster.client.ClientNews.Connected;
import io.kiln.cluster.client.ClientNews.Dead;
import io.kiln.cluster.client.ClientNews.Disconnected;
import io.kiln.cluster.client.ClientNews.ExecutorDecommissioned;
import io.kiln.cluster.client.ClientNews.ExecutorGone;
import io.kiln.cluster.client.ClientNews.ExecutorGranted;
import io.kiln.cluster.client.ClientNews.ExecutorRunning;
import io.kiln.cluster.client.ClientNews.Waiting;
import io.kiln.cluster.client.ClientNews.WorkerGone;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.ManagerGaveUp;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.AllocationOptions;
import io.kiln.scheduler.allocation.ExecutorAllocator;
import io.kiln.scheduler.allocation.ExecutorExit.TakenAway;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.scheduler.allocation.ManagerTraits;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/// An application whose allocation machine decides how many executors it has: the driver's side
/// between that machine and the client of masters.
final class AllocatedApplication implements Machine<Message> {
  private static final Duration NEVER = Duration.ofDays(100);
  private static final Duration START = Duration.ofMillis(600);
  private static final AllocationOptions OPTIONS =
      new AllocationOptions(
          new ManagerTraits(Duration.ofSeconds(1), true),
          NEVER,
          NEVER,
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private static final Duration SENT_AGAIN = Duration.ofSeconds(1);

  private record Registers(int executorId) implements Message {}

  /// The executor is told to leave: as its link loses nothing, until it has left.
  private record Leaves(int executorId) implements Message {}

  private final String process;
  private final Address client;
  private final Address allocation;

  /// The workers of executors that it has.
  private final Map<Integer, String> held = new TreeMap<>();

  private Optional<String> id = Optional.empty();
  private boolean dead;

  private AllocatedApplication(String process) {
    this.process = process;
    this.client = new Address(process, "client");
    this.allocation = new Address(process, "allocation");
  }

  /// @param process its name; in it, `client` and what hears its news, `application`, are others'
  static AllocatedApplication start(SimulatedWorld world, String process) {
    AllocatedApplication application = new AllocatedApplication(process);
    Address self = new Address(process, "application");
    Address nobody = new Address(process, "nobody");
    world.add(self, Message.class, application);
    world.add(nobody, Message.class, (_, _) -> {});
    world.add(
        application.allocation,
        AllocationMessage.class,
        new ExecutorAllocator(
            new SchedulerAddresses(nobody, nobody, List.of(nobody)), self, OPTIONS));
    return application;
  }

  String process() {
    return process;
  }

  Address allocation() {
    return allocation;
  }

  /// Empty before a master has registered it.
  Optional<String> id() {
    return id;
  }

  boolean isDead() {
    return dead;
  }

  Set<Integer> held() {
    return held.keySet();
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case ClientNews news -> hear(news, turn);
      case LaunchRequest request -> ask(request, turn);
      case Registers(int executor) -> {
        if (held.containsKey(executor)) {
          Address address = new Address("executor-" + executor, "executor");
          turn.send(
              allocation,
              new ExecutorRegistered(Integer.toString(executor), 1, address, "host", 1));
        }
      }
      case Leaves(int executor) -> tellToLeave(executor, turn);
      default -> throw new AssertionError("an application can't take " + message);
    }
  }

  private void hear(ClientNews news, Turn turn) {
    switch (news) {
      case Connected now -> id = Optional.of(now.applicationId());
      case ExecutorGranted granted -> {
        int executor = granted.executor().executorId();
        held.put(executor, granted.executor().workerId());
        turn.send(allocation, new ExecutorLaunching(Integer.toString(executor)));
        Registers registers = new Registers(executor);
        turn.startTimer(registers, START, registers);
      }
      case ExecutorDecommissioned(int executor, String why) -> {
        turn.send(
            allocation,
            new AllocationMessage.ExecutorDecommissioned(Integer.toString(executor), why));
        tellToLeave(executor, turn);
      }
      case ExecutorGone gone -> {
        held.remove(gone.executorId());
        turn.send(
            allocation,
            new ProcessExited(Integer.toString(gone.executorId()), new TakenAway(gone.message())));
      }
      case Dead last -> {
        dead = true;
        turn.send(allocation, new ManagerGaveUp(last.reason()));
      }
      case Disconnected _, ExecutorRunning _, WorkerGone _, Waiting _ -> {}
    }
  }

  private void tellToLeave(int executor, Turn turn) {
    if (held.containsKey(executor)) {
      turn.send(
          new Address(held.get(executor), "runner"),
          new RunnerDouble.LeaveExecutor(id.orElseThrow(), executor));
      Leaves again = new Leaves(executor);
      turn.startTimer(again, SENT_AGAIN, again);
    }
  }

  private void ask(LaunchRequest request, Turn turn) {
    switch (request) {
      case RequestExecutors wish ->
          turn.send(
              client,
              new ClientEvent.RequestExecutors(
                  wish.target().executors(),
                  wish.target().wantedHosts(),
                  wish.target().avoidedHosts()));
      case StopExecutor(String executor, String _, boolean _) ->
          turn.send(client, new ClientEvent.KillExecutors(List.of(Integer.parseInt(executor))));
      case ReleaseExecutor _ -> {}
    }
  }
}
