package io.kiln.base.machine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// A [Turn] that keeps what a machine asked for, and whose clock the test sets.
public final class RecordedTurn implements Turn {
  public record Sent(Address to, Message message) {}

  public record Timer(Duration delay, Message onFire, Duration due) {}

  public final List<Sent> sent = new ArrayList<>();
  public final List<Entry> persisted = new ArrayList<>();
  public final Map<Object, Timer> timers = new LinkedHashMap<>();
  public Duration now = Duration.ofDays(-1); // as a host's clock may be
  private final RandomGenerator random = new SplittableRandom(1);

  public List<Message> sentTo(Address address) {
    return sent.stream().filter(s -> s.to().equals(address)).map(Sent::message).toList();
  }

  public <M> List<M> sentTo(Address address, Class<M> type) {
    return sentTo(address).stream().filter(type::isInstance).map(type::cast).toList();
  }

  public <M> List<M> sent(Class<M> type) {
    return sent.stream().map(Sent::message).filter(type::isInstance).map(type::cast).toList();
  }

  public void forgetSent() {
    sent.clear();
  }

  /// Lets time pass; timers fire when they are due.
  public void pass(Duration time, Consumer<Message> onFire) {
    Duration end = now.plus(time);
    Optional<Map.Entry<Object, Timer>> next = nextUntil(end);
    while (next.isPresent()) {
      timers.remove(next.get().getKey());
      now = next.get().getValue().due();
      onFire.accept(next.get().getValue().onFire());
      next = nextUntil(end);
    }
    now = end;
  }

  private Optional<Map.Entry<Object, Timer>> nextUntil(Duration end) {
    return timers.entrySet().stream()
        .filter(timer -> timer.getValue().due().compareTo(end) <= 0)
        .min(Comparator.comparing(timer -> timer.getValue().due()));
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
    timers.put(key, new Timer(delay, onFire, now.plus(delay)));
  }

  @Override
  public void cancelTimer(Object key) {
    timers.remove(key);
  }

  @Override
  public void persist(Entry entry) {
    persisted.add(entry);
  }
}
