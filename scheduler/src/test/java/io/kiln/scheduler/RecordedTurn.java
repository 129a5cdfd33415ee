package io.kiln.scheduler;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A [Turn] that keeps what a machine asked for, and whose clock the test sets.
public final class RecordedTurn implements Turn {
  public record Sent(Address to, Message message) {}

  public record Timer(Duration delay, Message onFire) {}

  public final List<Sent> sent = new ArrayList<>();
  public final Map<Object, Timer> timers = new LinkedHashMap<>();
  public Duration now = Duration.ZERO;
  private final RandomGenerator random = new SplittableRandom(1);

  public List<Message> sentTo(Address address) {
    return sent.stream().filter(s -> s.to().equals(address)).map(Sent::message).toList();
  }

  public <M> List<M> sentTo(Address address, Class<M> type) {
    return sentTo(address).stream().filter(type::isInstance).map(type::cast).toList();
  }

  public void forgetSent() {
    sent.clear();
  }

  @Override
  public long nowNanos() {
    return now.toNanos();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void send(Address to, Message message) {
    sent.add(new Sent(to, message));
  }

  @Override
  public void startTimer(Object key, Duration delay, Message onFire) {
    timers.put(key, new Timer(delay, onFire));
  }

  @Override
  public void cancelTimer(Object key) {
    timers.remove(key);
  }
}
