package io.kiln.simulation.scheduler;

import static io.kiln.simulation.scheduler.SimulatedDriver.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorExitCode;
import io.kiln.scheduler.allocation.AllocationMessage;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorDecommissioned;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorLaunching;
import io.kiln.scheduler.allocation.AllocationMessage.LaunchFailed;
import io.kiln.scheduler.allocation.AllocationMessage.LinkLost;
import io.kiln.scheduler.allocation.AllocationMessage.ProcessExited;
import io.kiln.scheduler.allocation.ExecutorExit;
import io.kiln.scheduler.allocation.ExecutorExit.Exited;
import io.kiln.scheduler.allocation.ExecutorExit.TakenAway;
import io.kiln.scheduler.allocation.LaunchRequest;
import io.kiln.scheduler.allocation.LaunchRequest.ReleaseExecutor;
import io.kiln.scheduler.allocation.LaunchRequest.RequestExecutors;
import io.kiln.scheduler.allocation.LaunchRequest.StopExecutor;
import io.kiln.simulation.SimulatedWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// A cluster manager: it starts executors' processes, or fails to, stops them, and makes them
/// suffer what processes suffer. What the driver learns of their ends comes late, in any order, or
/// not at all.
final class LauncherDouble implements Machine<LaunchRequest> {
  private static final Duration LONGEST_START = Duration.ofMillis(500);
  private static final Duration LATEST_NEWS = Duration.ofSeconds(2);
  private static final List<ExecutorExit> ENDS =
      List.of(
          new Exited(0),
          new Exited(ExecutorExitCode.UNCAUGHT),
          new Exited(ExecutorExitCode.OUT_OF_MEMORY),
          new Exited(137),
          new Exited(137),
          new Exited(137),
          new Exited(139),
          new TakenAway("its node is gone"));

  /// How likely a launch goes wrong.
  record Troubles(double fails, double waitsForRoom, double never, double dies, double slow) {
    static final Troubles NONE = new Troubles(0, 0, 0, 0, 0);
  }

  private final SimulatedWorld world;
  private final SplittableRandom random;
  private final Address allocation;
  private final Function<String, SlotsDouble> slots;
  private final Duration startTimeout;
  private final Set<String> stopped = new TreeSet<>();
  private final Set<String> cutOff = new TreeSet<>();
  private final Set<String> stopLater = new TreeSet<>();
  private final Map<String, ProcessDouble> processes = new TreeMap<>();
  private Troubles troubles;
  private long nextIncarnation = 1;
  private int nextId;

  /// Those that are to start once there is room.
  private int waiting;

  LauncherDouble(
      SimulatedWorld world,
      SplittableRandom random,
      Address allocation,
      Function<String, SlotsDouble> slots,
      Duration startTimeout,
      Troubles troubles) {
    this.world = world;
    this.random = random;
    this.allocation = allocation;
    this.slots = slots;
    this.startTimeout = startTimeout;
    this.troubles = troubles;
  }

  void heal() {
    troubles = Troubles.NONE;
    while (waiting > 0) {
      waiting--;
      start(Integer.toString(nextId++));
    }
  }

  List<ProcessDouble> alive() {
    return processes.values().stream().filter(ProcessDouble::isAlive).toList();
  }

  @Override
  public void handle(LaunchRequest request, Turn turn) {
    switch (request) {
      case RequestExecutors wish -> fill(wish);
      case StopExecutor(String id, String _, boolean _) -> stop(id);
      case ReleaseExecutor(String id, String _) -> release(id);
    }
  }

  private List<String> stayingWithout(String id) {
    return alive().stream()
        .filter(ProcessDouble::stays)
        .map(ProcessDouble::id)
        .filter(other -> !other.equals(id))
        .toList();
  }

  private void fill(RequestExecutors request) {
    demand(
        request.now() <= request.target().executors(),
        "more are asked for than wanted: " + request);
    int there =
        (int)
            alive().stream()
                .map(ProcessDouble::id)
                .filter(id -> !stopped.contains(id) && !request.going().contains(id))
                .count();
    waiting = Math.clamp(request.now() - there, 0, waiting);
    for (int count = there + waiting; count < request.now(); count++) {
      launch();
    }
  }

  private void launch() {
    double luck = random.nextDouble() - troubles.fails();
    if (luck < 0) {
      String id = Integer.toString(nextId++);
      tell(within(LONGEST_START), new LaunchFailed(id, "it was not to be"));
    } else if (luck < troubles.waitsForRoom()) {
      waiting++;
    } else {
      start(Integer.toString(nextId++));
    }
  }

  private void start(String id) {
    ProcessDouble process =
        new ProcessDouble(
            id,
            nextIncarnation++,
            allocation,
            slots.apply(id),
            () -> stayingWithout(id),
            () -> end(id, new Exited(ExecutorExitCode.DRIVER_LOST)));
    processes.put(id, process);
    world.add(process.address(), Message.class, process);
    tell(within(LONGEST_START), new ExecutorLaunching(id));
    double luck = random.nextDouble() - troubles.never();
    if (luck < 0) {
      return;
    }
    luck -= troubles.dies();
    if (luck < 0) {
      end(id, ENDS.get(random.nextInt(ENDS.size())));
      return;
    }
    Duration longest = luck < troubles.slow() ? startTimeout.multipliedBy(2) : LONGEST_START;
    world.inject(within(longest), process.address(), new ProcessDouble.Started());
  }

  /// Nobody is told of it twice: one who looks for the process finds none.
  private void stop(String id) {
    stopped.add(id);
    ProcessDouble process = processes.get(id);
    if (cutOff.contains(id)) {
      stopLater.add(id);
    } else if (process != null && process.isAlive()) {
      end(id, new Exited(143));
    }
  }

  /// It ends by itself.
  private void release(String id) {
    stopped.add(id);
    ProcessDouble process = processes.get(id);
    if (process.isAlive()) {
      end(id, new Exited(0));
    }
  }

  // what befalls processes

  /// It hears that it is about to be taken away.
  void decommissionOne() {
    List<ProcessDouble> alive = alive();
    if (!alive.isEmpty()) {
      String id = alive.get(random.nextInt(alive.size())).id();
      tell(within(LONGEST_START), new ExecutorDecommissioned(id, "a test wants it"));
    }
  }

  void crashOne() {
    List<ProcessDouble> alive = alive();
    if (!alive.isEmpty()) {
      end(alive.get(random.nextInt(alive.size())).id(), ENDS.get(random.nextInt(ENDS.size())));
    }
  }

  /// @param longest until it goes on, if it ever does
  void freezeOne(Duration longest) {
    List<ProcessDouble> alive = alive();
    if (!alive.isEmpty()) {
      Address frozen = alive.get(random.nextInt(alive.size())).address();
      world.inject(Duration.ZERO, frozen, new ProcessDouble.Freeze());
      if (random.nextBoolean()) {
        world.inject(within(longest), frozen, new ProcessDouble.Thaw());
      }
    }
  }

  /// Its host or its link to the driver stands still, and goes on.
  void stallOne(Duration longest) {
    List<ProcessDouble> alive = alive();
    if (!alive.isEmpty()) {
      String process = alive.get(random.nextInt(alive.size())).address().process();
      if (random.nextBoolean()) {
        world.stall(process, within(longest));
      } else {
        world.stallLink(process, allocation.process(), within(longest));
      }
    }
  }

  /// What is sent to or from it is lost; the link does not survive that. Either side may find it
  /// late.
  ///
  /// @return ends it; nothing if there is no process
  Runnable cutOffOne(Duration longest) {
    List<ProcessDouble> alive = new ArrayList<>(alive());
    alive.removeIf(process -> cutOff.contains(process.id()));
    if (alive.isEmpty()) {
      return () -> {};
    }
    ProcessDouble victim = alive.get(random.nextInt(alive.size()));
    world.cutOff(victim.address().process());
    cutOff.add(victim.id());
    if (random.nextBoolean()) {
      tell(within(longest), new LinkLost(victim.id(), victim.incarnation(), "no route to host"));
    }
    return () -> {
      world.reconnect(victim.address().process());
      cutOff.remove(victim.id());
      if (stopLater.contains(victim.id())) {
        stop(victim.id());
      }
      world.inject(within(LATEST_NEWS), victim.address(), new ProcessDouble.FindLinkLost());
    };
  }

  private void end(String id, ExecutorExit exit) {
    ProcessDouble process = processes.get(id);
    process.die();
    if (random.nextInt(5) > 0) {
      tell(within(LONGEST_START), new LinkLost(id, process.incarnation(), "connection reset"));
    }
    if (random.nextInt(5) > 0) {
      tell(within(LATEST_NEWS), new ProcessExited(id, exit));
    }
  }

  private void tell(Duration after, AllocationMessage message) {
    world.inject(after, allocation, message);
  }

  private Duration within(Duration longest) {
    return Duration.ofNanos(random.nextLong(longest.toNanos()));
  }
}
