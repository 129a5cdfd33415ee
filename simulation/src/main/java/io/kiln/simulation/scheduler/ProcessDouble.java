package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage.Decommission;
import io.kiln.protocol.ExecutorMessage.Drained;
import io.kiln.protocol.ExecutorMessage.DropStored;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.scheduler.allocation.AllocationMessage.ExecutorRegistered;
import io.kiln.scheduler.allocation.AllocationMessage.Heartbeat;
import io.kiln.scheduler.dag.DagMessage.OutputsLocated;
import io.kiln.simulation.scheduler.SlotsDouble.SendUpdates;
import io.kiln.simulation.scheduler.SlotsDouble.TaskOver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// An executor's process, under an id that is used once. It registers, sends heartbeats, and runs
/// tasks; it may be stopped for a while, in which nothing is handled and nothing is lost; and it
/// dies.
final class ProcessDouble implements Machine<Message> {
  static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

  /// It is ready to register.
  record Started() implements Message {}

  /// As by SIGSTOP.
  record Freeze() implements Message {}

  /// As by SIGCONT.
  record Thaw() implements Message {}

  /// It finds that its link to the driver is gone, and ends.
  record FindLinkLost() implements Message {}

  private record Beat() implements Message {}

  private enum State {
    STARTING,
    UP,
    DEAD
  }

  private final String id;
  private final long incarnation;
  private final Address self;
  private final Address allocation;
  private final SlotsDouble slots;
  private final DepartureDouble departure;
  private final Runnable onLinkLost;
  private final List<Message> whileFrozen = new ArrayList<>();
  private State state = State.STARTING;
  private boolean frozen;
  private boolean leaving;

  /// @param others processes that may take what this one has
  /// @param onLinkLost it wants to end
  ProcessDouble(
      String id,
      long incarnation,
      Address allocation,
      SlotsDouble slots,
      Supplier<List<String>> others,
      Runnable onLinkLost) {
    this.id = id;
    this.incarnation = incarnation;
    this.self = new Address("executor-" + id, "executor");
    this.allocation = allocation;
    this.slots = slots;
    this.departure = new DepartureDouble(id, incarnation, self, allocation, slots.files(), others);
    this.onLinkLost = onLinkLost;
  }

  String id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  Address address() {
    return self;
  }

  boolean isAlive() {
    return state != State.DEAD;
  }

  /// Whether it may be given what another has.
  boolean stays() {
    return state == State.UP && !frozen && !leaving;
  }

  /// Running, queued, or not yet reported.
  int tasks() {
    return slots.tasks();
  }

  /// The process is no more, and nor are its files.
  void die() {
    state = State.DEAD;
    slots.die();
  }

  @Override
  public void handle(Message message, Turn turn) {
    if (state == State.DEAD) {
      return;
    }
    switch (message) {
      case Freeze _ -> frozen = true;
      case Thaw _ -> {
        frozen = false;
        List<Message> held = List.copyOf(whileFrozen);
        whileFrozen.clear();
        held.forEach(late -> handle(late, turn));
      }
      default -> {
        if (frozen) {
          whileFrozen.add(message);
        } else {
          act(message, turn);
        }
      }
    }
  }

  private void act(Message message, Turn turn) {
    switch (message) {
      case Started _ -> {
        state = State.UP;
        register(turn);
        turn.startTimer(Beat.class, HEARTBEAT_INTERVAL, new Beat());
      }
      case Beat _ -> {
        turn.send(allocation, new Heartbeat(id, incarnation));
        departure.goOn(turn);
        if (turn.random().nextInt(10) == 0) {
          register(turn); // as if no answer had come
        }
        turn.startTimer(Beat.class, HEARTBEAT_INTERVAL, new Beat());
      }
      case FindLinkLost _ -> onLinkLost.run();
      case LaunchTasks launch -> slots.launch(launch, turn);
      case KillTasks kill -> slots.kill(kill, turn);
      case ReturnTasks back -> slots.giveBack(back, turn);
      case ForgetStage forget -> slots.forget(forget);
      case DropStored _ -> {} // for the simulated blocks that happens when it is said
      case Decommission _ -> leaving = true; // whatever it has is moved once it is drained
      case Drained _ -> departure.drained(turn);
      case OutputsLocated located -> departure.answered(located, turn);
      case TaskOver over -> slots.taskOver(over, turn);
      case SendUpdates due -> slots.send(due.incarnation(), turn);
      default -> throw new AssertionError("an executor can't take " + message);
    }
  }

  private void register(Turn turn) {
    turn.send(
        allocation, new ExecutorRegistered(id, incarnation, self, "host-" + id, slots.slots()));
  }
}
