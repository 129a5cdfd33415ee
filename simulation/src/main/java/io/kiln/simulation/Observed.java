package io.kiln.simulation;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// A machine of which every message that it sends is looked at when it is sent: what is true then
/// may no longer be when the message arrives.
///
/// @param <M> what the machine takes
public record Observed<M extends Message>(Machine<M> machine, Observer observer)
    implements Machine<M> {

  /// Throws if it sees what must not be.
  @FunctionalInterface
  public interface Observer {
    void sent(Address to, Message message);
  }

  @Override
  public void handle(M message, Turn turn) {
    machine.handle(message, new ObservedTurn(turn, observer));
  }

  private record ObservedTurn(Turn turn, Observer observer) implements Turn {
    @Override
    public long nowNanos() {
      return turn.nowNanos();
    }

    @Override
    public RandomGenerator random() {
      return turn.random();
    }

    @Override
    public void send(Address to, Message message) {
      observer.sent(to, message);
      turn.send(to, message);
    }

    @Override
    public void startTimer(Object key, Duration delay, Message onFire) {
      turn.startTimer(key, delay, onFire);
    }

    @Override
    public void cancelTimer(Object key) {
      turn.cancelTimer(key);
    }

    @Override
    public void persist(Entry entry) {
      turn.persist(entry);
    }
  }
}
