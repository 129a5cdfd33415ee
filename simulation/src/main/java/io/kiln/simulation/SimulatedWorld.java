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

  /// Keeps what a machine persists, or refuses to: then nothing of the turn leaves, and the
  /// machine's process is gone.
  @FunctionalInterface
  public interface Store {
    /// @return whether the entries are kept
    boolean append(List<Entry> entries);
  }

  private record Event(
      long atNanos,
      long sequence,
      Address to,
      Message message,
      long life,
      TimerKey timer,
      long generation,
      boolean isOwn) {
    Event at(long nanos) {
      return new Event(nanos, sequence, to, message, life, timer, generation, isOwn);
    }
  }

  private record TimerKey(Address owner, Object key) {}

  private record Member(Machine<Message> machine, RandomGenerator random, Store store) {}

  private record Way(String from, String to) {}

  private final SplittableRandom random;
  private final boolean traced;
  private final Map<Address, Member> members = new HashMap<>();
  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::sequence));
  private final Map<TimerKey, Long> timerGenerations = new HashMap<>();
  private final Set<String> cutOff = new HashSet<>();
  private final Set<Way> cut = new HashSet<>();
  private final Map<Way, Long> lastArrivals = new HashMap<>();
  private final Map<String, Long> lives = new HashMap<>();

  /// Until when processes stand still, or did, and for how long they have done so altogether.
  private final Map<String, Long> stalledUntil = new HashMap<>();

  private final Map<String, Long> stalledNanos = new HashMap<>();

  /// Until when nothing arrives.
  private final Map<Way, Long> stalledWays = new HashMap<>();

  /// How many messages of a process to itself are on their way.
  private final Map<String, Integer> ownMessages = new HashMap<>();

  private final List<String> trace = new ArrayList<>();
  private Faults faults;
  private boolean ordered;
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
    add(
        address,
        type,
        machine,
        entries -> {
          throw new IllegalStateException(address + " keeps nothing: " + entries);
        });
  }

  /// @param type the messages that the machine takes; any other is a mistake in the wiring and
  ///     fails the run
  /// @param store where it keeps its entries
  public <M extends Message> void add(
      Address address, Class<M> type, Machine<M> machine, Store store) {
    members.put(
        address,
        new Member(
            (message, turn) -> machine.handle(type.cast(message), turn), random.split(), store));
  }

  /// From now on, what one process sends to another arrives in order, as over a connection.
  public void keepOrder() {
    ordered = true;
  }

  /// The process is gone, with its timers and what is on its way to it. Another may be added under
  /// its name.
  public void crash(String process) {
    lives.merge(process, 1L, Long::sum);
    stalledUntil.remove(process);
    members.keySet().removeIf(address -> address.process().equals(process));
  }

  /// From now on what one of the two sends to the other is lost.
  public void cut(String one, String other) {
    cut.add(new Way(one, other));
    cut.add(new Way(other, one));
  }

  /// What was [#cut] gets through again.
  public void mend(String one, String other) {
    cut.remove(new Way(one, other));
    cut.remove(new Way(other, one));
  }

  /// From now on what is sent to or from the process is lost.
  public void cutOff(String process) {
    cutOff.add(process);
  }

  /// Messages get through again.
  public void reconnect(String process) {
    cutOff.remove(process);
  }

  /// The process stands still, unless it does already, and what is sent to it waits. As its host
  /// sees to that, it does not count the time: no timer comes before what has arrived meanwhile.
  public void stall(String process, Duration length) {
    if (stalledUntil(process) > nowNanos) {
      return;
    }
    long end = nowNanos + length.toNanos();
    stalledUntil.put(process, end);
    stalledNanos.merge(process, length.toNanos(), Long::sum);
    List<Event> waiting = List.copyOf(queue);
    queue.clear();
    for (Event event : waiting) {
      if (!event.to().process().equals(process)) {
        queue.add(event);
      } else if (event.timer() != null) {
        queue.add(event.at(event.atNanos() + length.toNanos()));
      } else {
        queue.add(event.at(Math.max(event.atNanos(), end)));
      }
    }
  }

  private long stalledUntil(String process) {
    return stalledUntil.getOrDefault(process, Long.MIN_VALUE);
  }

  /// What one of the two sends to the other arrives only when the span is over.
  public void stallLink(String one, String other, Duration span) {
    stalledWays.merge(new Way(one, other), nowNanos + span.toNanos(), Math::max);
    stalledWays.merge(new Way(other, one), nowNanos + span.toNanos(), Math::max);
  }

  /// Whether a process has messages to itself on their way.
  public boolean talksToItself(String process) {
    return ownMessages.getOrDefault(process, 0) > 0;
  }

  public void healFaults() {
    faults = Faults.NONE;
  }

  /// From outside the world, `after` from now, not subject to faults.
  public void inject(Duration after, Address to, Message message) {
    queue.add(event(arrival(nowNanos + after.toNanos(), to), to, message, null, 0));
  }

  private long arrival(long atNanos, Address to) {
    return Math.max(atNanos, stalledUntil(to.process()));
  }

  private Event event(long atNanos, Address to, Message message, TimerKey timer, long generation) {
    long life = lifeOf(to.process());
    return new Event(atNanos, sequence++, to, message, life, timer, generation, false);
  }

  private long lifeOf(String process) {
    return lives.getOrDefault(process, 0L);
  }

  /// Runs for a span of virtual time.
  public void run(Duration span, Check check) {
    long until = nowNanos + span.toNanos();
    while (!queue.isEmpty() && queue.peek().atNanos() <= until) {
      Event event = queue.remove();
      nowNanos = event.atNanos();
      if (event.isOwn()) {
        ownMessages.merge(event.to().process(), -1, Integer::sum);
      }
      Member member = members.get(event.to());
      if (member == null || event.life() != lifeOf(event.to().process()) || isCancelled(event)) {
        continue;
      }
      events++;
      if (traced) {
        trace.add(nowNanos + " " + event.to() + " " + describe(event.message()));
      }
      SimulatedTurn turn = new SimulatedTurn(event.to(), member.random());
      member.machine().handle(event.message(), turn);
      turn.apply(member.store());
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

  private void send(String from, Address to, Message message) {
    if (to.process().equals(from)) {
      ownMessages.merge(from, 1, Integer::sum);
      queue.add(new Event(nowNanos, sequence++, to, message, lifeOf(from), null, 0, true));
      return;
    }
    Way way = new Way(from, to.process());
    if (cutOff.contains(to.process()) || cutOff.contains(from) || cut.contains(way)) {
      return;
    }
    if (faults.mayBeLost().test(message) && random.nextDouble() < faults.drop()) {
      return;
    }
    long arrival =
        arrival(nowNanos + (long) (random.nextDouble() * faults.maxDelay().toNanos()), to);
    arrival = Math.max(arrival, stalledWays.getOrDefault(way, 0L));
    if (ordered) {
      arrival = Math.max(arrival, lastArrivals.getOrDefault(way, 0L));
      lastArrivals.put(way, arrival);
    }
    queue.add(event(arrival, to, message, null, 0));
  }

  private final class SimulatedTurn implements Turn {
    private final Address self;
    private final RandomGenerator own;
    private final List<Runnable> effects = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    SimulatedTurn(Address self, RandomGenerator own) {
      this.self = self;
      this.own = own;
    }

    void apply(Store store) {
      if (entries.isEmpty() || store.append(List.copyOf(entries))) {
        effects.forEach(Runnable::run);
      } else {
        crash(self.process());
      }
    }

    @Override
    public long nowNanos() {
      return nowNanos - stalledNanos.getOrDefault(self.process(), 0L);
    }

    @Override
    public RandomGenerator random() {
      return own;
    }

    @Override
    public void send(Address to, Message message) {
      effects.add(() -> SimulatedWorld.this.send(self.process(), to, message));
    }

    @Override
    public void startTimer(Object key, Duration delay, Message onFire) {
      effects.add(
          () -> {
            TimerKey timer = new TimerKey(self, key);
            long generation = timerGenerations.merge(timer, 1L, Long::sum);
            queue.add(event(nowNanos + delay.toNanos(), self, onFire, timer, generation));
          });
    }

    @Override
    public void cancelTimer(Object key) {
      effects.add(() -> timerGenerations.merge(new TimerKey(self, key), 1L, Long::sum));
    }

    @Override
    public void persist(Entry entry) {
      entries.add(entry);
    }
  }
}
