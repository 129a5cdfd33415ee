package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import io.kiln.protocol.ExecutorMessage.ForgetStage;
import io.kiln.protocol.ExecutorMessage.KillTasks;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.protocol.ExecutorMessage.ReturnTasks;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.simulation.scheduler.SlotsDouble.SendUpdates;
import io.kiln.simulation.scheduler.SlotsDouble.TaskOver;
import java.time.Duration;

/// An executor that comes by itself, dies, and comes back as a new incarnation.
final class ExecutorDouble implements Machine<Message> {
  private static final Duration REGISTRATION_INTERVAL = Duration.ofMillis(500);

  /// The executor's process dies and is started again.
  record Crash() implements Message {}

  private record Register() implements Message {}

  private final String id;
  private final Address self;
  private final Address scheduler;
  private final SlotsDouble slots;
  private long incarnation = 1;

  ExecutorDouble(String id, Address scheduler, SlotsDouble slots) {
    this.id = id;
    this.self = new Address("executor-" + id, "executor");
    this.scheduler = scheduler;
    this.slots = slots;
  }

  static Message start() {
    return new Register();
  }

  Address address() {
    return self;
  }

  /// Running or queued.
  int tasks() {
    return slots.tasks();
  }

  @Override
  public void handle(Message message, Turn turn) {
    switch (message) {
      case Register _ -> register(turn);
      case LaunchTasks launch when launch.incarnation() == incarnation ->
          slots.launch(launch, turn);
      case KillTasks kill when kill.incarnation() == incarnation -> slots.kill(kill, turn);
      case ReturnTasks back when back.incarnation() == incarnation -> slots.giveBack(back, turn);
      case TaskOver over when over.incarnation() == incarnation -> slots.taskOver(over, turn);
      case SendUpdates due when due.incarnation() == incarnation -> slots.send(incarnation, turn);
      case Crash _ -> crash(turn);
      case ForgetStage forget when forget.incarnation() == incarnation -> slots.forget(forget);
      default -> {} // speaks to an earlier incarnation
    }
  }

  private void register(Turn turn) {
    turn.send(
        scheduler, new ExecutorRegistered(id, incarnation, self, "host-" + id, slots.slots()));
    turn.startTimer(Register.class, REGISTRATION_INTERVAL, new Register());
  }

  private void crash(Turn turn) {
    slots.die(); // its timers are of an earlier incarnation then
    if (turn.random().nextBoolean()) { // else only the newer incarnation tells
      turn.send(
          scheduler, new ExecutorGone(id, incarnation, "crashed", turn.random().nextBoolean()));
    }
    incarnation++;
    turn.startTimer(
        Register.class, Duration.ofMillis(turn.random().nextInt(1_000)), new Register());
  }
}
