package io.kiln.simulation;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Entry;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.base.machine.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Runs machines on virtual time, one event after the other, with faults drawn from a seed. Two
/// runs of one seed are the same run: the trace says so. Single-threaded.
public final class SimulatedWorld {

  /// Looks at the world after an event and throws if it finds what must not be.
  @FunctionalInterface
  public interface Check {
    void afterEvent(Address to, Message message);
  }

  private record Event(
      long atNanos, long sequence, Address to, Message message, TimerKey timer, long generation) {}

  private record TimerKey(Address owner, Object key) {}

  private record Member(Machine<Message> machine, RandomGenerator random) {}

  private final SplittableRandom random;
  private final boolean traced;
  private final Map<Address, Member> members = new HashMap<>();
  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::sequence));
  private final Map<TimerKey, Long> timerGenerations = new HashMap<>();
  private final Set<String> cutOff = new HashSet<>();
  private final List<String> trace = new ArrayList<>();
  private Faults faults;
  private long nowNanos;
  private long sequence;
  private long events;

  /// @param traced whether [#trace] is kept
  public SimulatedWorld(long seed, Faults faults, boolean traced) {
    this.random = new SplittableRandom(seed);
    this.faults = faults;
    this.traced = traced;
  }

  /// @param type the messages that the machine takes; any other is a mistake in the wiring and
  ///     fails the run
  public <M extends Message> void add(Address address, Class<M> type, Machine<M> machine) {
    members.put(
        address,
        new Member((message, turn) -> machine.handle(type.cast(message), turn), random.split()));
  }

  /// From now on what is sent to or from the process is lost.
  public void cutOff(String process) {
    cutOff.add(process);
  }

  /// Messages get through again.
  public void reconnect(String process) {
    cutOff.remove(process);
  }

  public void healFaults() {
    faults = Faults.NONE;
  }

  /// From outside the world, `after` from now, not subject to faults.
  public void inject(Duration after, Address to, Message message) {
    queue.add(new Event(nowNanos + after.toNanos(), sequence++, to, message, null, 0));
  }

  /// Runs for a span of virtual time.
  public void run(Duration span, Check check) {
    long until = nowNanos + span.toNanos();
    while (!queue.isEmpty() && queue.peek().atNanos() <= until) {
      Event event = queue.remove();
      nowNanos = event.atNanos();
      Member member = members.get(event.to());
      if (member == null || isCancelled(event)) {
        continue;
      }
      events++;
      if (traced) {
        trace.add(nowNanos + " " + event.to() + " " + describe(event.message()));
      }
      member.machine().handle(event.message(), new SimulatedTurn(event.to(), member.random()));
      check.afterEvent(event.to(), event.message());
    }
    nowNanos = until;
  }

  /// Virtual time; only differences mean anything.
  public long nowNanos() {
    return nowNanos;
  }

  /// How many events there have been.
  public long events() {
    return events;
  }

  /// One line per event.
  public List<String> trace() {
    return trace;
  }

  /// Arrays and lambdas print their identity, which differs from run to run.
  private static String describe(Message message) {
    return message.toString().replaceAll("(\\[[IJ]|\\$\\$Lambda[^@,\\]]*)@[0-9a-f]+", "…");
  }

  private boolean isCancelled(Event event) {
    return event.timer() != null
        && timerGenerations.getOrDefault(event.timer(), 0L) != event.generation();
  }

  private final class SimulatedTurn implements Turn {
    private final Address self;
    private final RandomGenerator own;

    SimulatedTurn(Address self, RandomGenerator own) {
      this.self = self;
      this.own = own;
    }

    @Override
    public long nowNanos() {
      return nowNanos;
    }

    @Override
    public RandomGenerator random() {
      return own;
    }

    @Override
    public void send(Address to, Message message) {
      if (to.process().equals(self.process())) {
        queue.add(new Event(nowNanos, sequence++, to, message, null, 0));
        return;
      }
      if (cutOff.contains(to.process()) || cutOff.contains(self.process())) {
        return;
      }
      if (faults.mayBeLost().test(message) && random.nextDouble() < faults.drop()) {
        return;
      }
      long delay = (long) (random.nextDouble() * faults.maxDelay().toNanos());
      queue.add(new Event(nowNanos + delay, sequence++, to, message, null, 0));
    }

    @Override
    public void startTimer(Object key, Duration delay, Message onFire) {
      TimerKey timer = new TimerKey(self, key);
      long generation = timerGenerations.merge(timer, 1L, Long::sum);
      queue.add(new Event(nowNanos + delay.toNanos(), sequence++, self, onFire, timer, generation));
    }

    @Override
    public void cancelTimer(Object key) {
      timerGenerations.merge(new TimerKey(self, key), 1L, Long::sum);
    }

    @Override
    public void persist(Entry entry) {
      throw new IllegalStateException(self + " keeps nothing: " + entry);
    }
  }
}
