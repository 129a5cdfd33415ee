package io.kiln.runtime;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the machines of one process on one thread, with the real clock.
///
/// ```
///          start              close                         mailbox empty
///  created ─────► running ───────────► closing ───────────────────────────► stopped
///                    │                    │                                     ▲
///                    └────────────────────┴── a machine or an edge threw ───────┘
/// ```
///
/// Messages between its machines are delivered in the same loop, in the order in which they were
/// sent, before anything from outside. A timer comes after everything that had arrived before its
/// time; its time is that of a [LivedClock], so that after a stall of the process, what others said
/// meanwhile is heard before any silence is judged. What a turn sends to an [Edge] arrives there as
/// one batch, right after the turn. A message to an address that nobody here has goes
/// [#setOutside], or else is dropped: its receiver is gone.
///
/// Machines are added before [#start]; edges come and go at any time. All methods but the machines'
/// own may be called from any thread.
public final class MachineHost implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MachineHost.class);

  private static final String STOPPED = "HOST_STOPPED";
  private static final int ROOM_BYTES = 16 << 10;
  private static final int TRIES_WITHOUT_MEMORY = 1_000;
  private static final long PAUSE_WITHOUT_MEMORY_NANOS = 10_000_000;
  private static final long LONGEST_WAIT_NANOS = LivedClock.LONGEST_STEP.toNanos() / 2;

  /// Made while there is memory.
  private final KilnException outOfMemory =
      new KilnException(
          "HOST_FAILED",
          KilnException.Kind.RESOURCES,
          "the scheduler ran out of memory; give the JVM a larger heap");

  private record Local(MachineRoute machine, Message message) {}

  private final String name;
  private final FailureHandler failureHandler;
  private final Map<Address, Route> routes = new ConcurrentHashMap<>();
  private final Mailbox mailbox = new Mailbox();
  private final TimerQueue timers = new TimerQueue();
  private final LivedClock clock;
  private final HostTurn turn;
  private final ArrayDeque<Local> local = new ArrayDeque<>();
  private final List<EdgeRoute> filled = new ArrayList<>();
  private final RandomGenerator.SplittableGenerator random;
  private final Thread thread;
  private Outside outside = (to, message) -> LOG.debug("Nobody is at {}: dropped {}", to, message);

  @SuppressWarnings("UnusedVariable") // had for being had
  private byte[] room;

  private volatile boolean closing;
  private volatile KilnException failure;

  /// @param name of the process, for threads and errors
  /// @param seed of the machines' random streams
  public MachineHost(String name, long seed, FailureHandler failureHandler) {
    this(name, seed, failureHandler, new LivedClock());
  }

  MachineHost(String name, long seed, FailureHandler failureHandler, LivedClock clock) {
    this.name = name;
    this.clock = clock;
    this.turn = new HostTurn(clock);
    this.failureHandler = failureHandler;
    this.random =
        RandomGeneratorFactory.<RandomGenerator.SplittableGenerator>of("L64X128MixRandom")
            .create(seed);
    this.thread = Thread.ofPlatform().daemon().name(name + "-machines").unstarted(this::run);
  }

  /// Before [#start].
  ///
  /// @param type what the machine takes
  public <M extends Message> void addMachine(Address address, Class<M> type, Machine<M> machine) {
    addMachine(address, type, machine, Journal.NONE);
  }

  /// Before [#start].
  ///
  /// @param type what the machine takes
  /// @param journal where it keeps its entries
  public <M extends Message> void addMachine(
      Address address, Class<M> type, Machine<M> machine, Journal journal) {
    if (thread.getState() != Thread.State.NEW) {
      throw new IllegalStateException("machines are added before the host starts");
    }
    routes.put(address, MachineRoute.of(address, type, machine, random.split(), journal));
  }

  /// From now on, what is sent to the address goes to this edge.
  public void addEdge(Address address, Edge edge) {
    if (routes.put(address, new EdgeRoute(edge)) instanceof MachineRoute) {
      throw new IllegalArgumentException(address + " is the address of a machine");
    }
  }

  /// What is sent to addresses that nobody here has goes there. Before [#start].
  public void setOutside(Outside newOutside) {
    outside = newOutside;
  }

  /// What is sent to the address from now on goes outside.
  public void removeEdge(Address address) {
    routes.remove(address);
  }

  public void start() {
    thread.start();
  }

  /// Queues a message from outside. What one thread sends arrives in order.
  ///
  /// @throws KilnException `HOST_STOPPED` once the host is closed or has failed, with the failure
  public void send(Address to, Message message) {
    if (!mailbox.put(to, message)) {
      throw new KilnException(
          STOPPED,
          KilnException.Kind.INTERNAL,
          "can't send " + message.getClass().getSimpleName() + " to " + to + ": " + whyStopped(),
          failure);
    }
  }

  /// Why the host stopped before it was closed.
  public Optional<KilnException> failure() {
    return Optional.ofNullable(failure);
  }

  /// Handles what was sent before, then stops and waits for that; timers that have not fired never
  /// will. Idempotent. On the host's own thread it does not wait.
  @Override
  public void close() {
    closing = true;
    if (thread.getState() == Thread.State.NEW) {
      mailbox.close();
      return;
    }
    mailbox.wake();
    if (Thread.currentThread() == thread) {
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // the loop ends by itself: the caller hears of it afterwards
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    mailbox.setConsumer(Thread.currentThread());
    try {
      while (!(closing && mailbox.closeIfEmpty())) {
        awaitMemory();
        long nowNanos = clock.nowNanos();
        Mailbox.Entry first = mailbox.takeAll();
        handle(first);
        boolean fired = fireTimers(nowNanos);
        if (first == null && !fired && !closing) {
          mailbox.await(Math.min(timers.nanosToNext(nowNanos), LONGEST_WAIT_NANOS));
        }
      }
    } catch (Throwable t) {
      failForSure(t);
    }
  }

  /// A task that takes all memory fails within moments, and all that it held is free again; a
  /// machine that runs out of memory meanwhile is lost. So wait for a little memory first.
  private void awaitMemory() {
    for (int left = TRIES_WITHOUT_MEMORY; left > 0; left--) {
      try {
        room = new byte[ROOM_BYTES];
        return;
      } catch (OutOfMemoryError e) {
        LockSupport.parkNanos(PAUSE_WITHOUT_MEMORY_NANOS);
      }
    }
  }

  /// Nobody may wait for a host that has failed, even where no memory is left to say why.
  private void failForSure(Throwable cause) {
    try {
      fail(cause);
    } catch (OutOfMemoryError e) {
      failure = outOfMemory;
      mailbox.close();
      for (int left = TRIES_WITHOUT_MEMORY; !tellOfFailure() && left > 0; left--) {
        LockSupport.parkNanos(PAUSE_WITHOUT_MEMORY_NANOS); // whoever took the memory fails as well
      }
    }
  }

  private boolean tellOfFailure() {
    try {
      failureHandler.hostFailed(outOfMemory);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void handle(Mailbox.Entry first) {
    for (Mailbox.Entry entry = first; entry != null; entry = entry.next()) {
      deliver(entry.to(), entry.message());
      handleLocal();
    }
  }

  /// @param untilNanos before which everything that had arrived has been handled
  /// @return whether there was one
  private boolean fireTimers(long untilNanos) {
    boolean fired = false;
    for (TimerQueue.Timer due = timers.takeDue(untilNanos);
        due != null;
        due = timers.takeDue(untilNanos)) {
      local.add(new Local(due.owner(), due.onFire()));
      handleLocal();
      fired = true;
    }
    return fired;
  }

  private void handleLocal() {
    deliverToEdges();
    for (Local next = local.poll(); next != null; next = local.poll()) {
      handle(next.machine(), next.message());
      deliverToEdges();
    }
  }

  private void handle(MachineRoute machine, Message message) {
    turn.begin(machine);
    try {
      machine.handle(message, turn);
    } catch (Throwable t) {
      throw new KilnException(
          "MACHINE_FAILED",
          KilnException.Kind.INTERNAL,
          machine.address()
              + " failed on "
              + message.getClass().getSimpleName()
              + " ("
              + t
              + "); please report this with the log",
          t);
    }
    try {
      turn.applyEntries();
    } catch (EntriesRefused refused) {
      LOG.warn("{} could not keep what it decided: {}", machine.address(), refused.getMessage());
      turn.end();
      local.addFirst(new Local(machine, refused.verdict()));
      return;
    }
    for (int i = 0; i < turn.sends(); i++) {
      deliver(turn.address(i), turn.message(i));
    }
    turn.applyTimers(timers);
    turn.end();
  }

  private void deliver(Address to, Message message) {
    switch (routes.get(to)) {
      case MachineRoute machine -> local.add(new Local(machine, message));
      case EdgeRoute edge -> {
        if (edge.add(message)) {
          filled.add(edge);
        }
      }
      case null -> outside.deliver(to, message);
    }
  }

  private void deliverToEdges() {
    for (int i = 0; i < filled.size(); i++) {
      try {
        filled.get(i).deliver();
      } catch (KilnException e) {
        if (!e.code().equals(STOPPED)) {
          throw e;
        }
        LOG.debug("Dropped, for its receiver has stopped", e); // in whatever order hosts are closed
      }
    }
    filled.clear();
  }

  private void fail(Throwable cause) {
    KilnException report =
        cause instanceof KilnException already && already.code().equals("MACHINE_FAILED")
            ? already
            : new KilnException(
                "HOST_FAILED",
                KilnException.Kind.INTERNAL,
                name + " stopped (" + cause + "); please report this with the log",
                cause);
    failure = report;
    mailbox.close();
    try {
      LOG.error("{}", report.getMessage(), report);
    } finally {
      failureHandler.hostFailed(report);
    }
  }

  private String whyStopped() {
    KilnException cause = failure;
    return cause == null ? name + " is closed" : cause.getMessage();
  }
}
