package io.kiln.runtime;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The one [Turn] of a host, used again for each message. It keeps effects until the host applies
/// them.
final class HostTurn implements Turn {
  private record TimerChange(Object key, Duration delay, Message onFire) {}

  private final List<Address> addresses = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private final List<TimerChange> timerChanges = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final LivedClock clock;
  private MachineRoute machine;
  private long nowNanos;

  HostTurn(LivedClock clock) {
    this.clock = clock;
  }

  void begin(MachineRoute whose) {
    machine = whose;
    nowNanos = clock.nowNanos();
  }

  /// Forgets the effects.
  void end() {
    machine = null;
    addresses.clear();
    messages.clear();
    timerChanges.clear();
    entries.clear();
  }

  /// Makes the entries durable.
  void applyEntries() {
    if (!entries.isEmpty()) {
      machine.journal().append(List.copyOf(entries));
    }
  }

  int sends() {
    return messages.size();
  }

  Address address(int send) {
    return addresses.get(send);
  }

  Message message(int send) {
    return messages.get(send);
  }

  void applyTimers(TimerQueue timers) {
    for (int i = 0; i < timerChanges.size(); i++) {
      TimerChange change = timerChanges.get(i);
      if (change.onFire() == null) {
        timers.cancel(machine, change.key());
      } else {
        timers.start(machine, change.key(), nowNanos + change.delay().toNanos(), change.onFire());
      }
    }
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public RandomGenerator random() {
    return machine.random();
  }

  @Override
  public void send(Address to, Message message) {
    addresses.add(to);
    messages.add(message);
  }

  @Override
  public void startTimer(Object key, Duration delay, Message onFire) {
    timerChanges.add(new TimerChange(key, delay, onFire));
  }

  @Override
  public void cancelTimer(Object key) {
    timerChanges.add(new TimerChange(key, Duration.ZERO, null));
  }

  @Override
  public void persist(Entry entry) {
    if (machine.journal() == Journal.NONE) {
      throw new IllegalStateException(machine.address() + " was added without a journal");
    }
    entries.add(entry);
  }
}
