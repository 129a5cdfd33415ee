package io.kiln.cluster.master;

import io.kiln.cluster.master.MasterOptions.WorkerOrder;
import io.kiln.cluster.master.WorkerNode.DriverGrant;
import io.kiln.cluster.protocol.WorkerState;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The workers, and an order of those that have room; the queue hears of each change of that room.
/// Mutable, the master's thread only.
final class Workers {
  private final Map<String, WorkerNode> byId = new LinkedHashMap<>();
  private final Map<String, WorkerNode> byHostPort = new HashMap<>();

  /// Those that may be given more and have a core left, the preferred first.
  private final NavigableSet<WorkerNode> free;

  /// Those that may be given more, in the order in which they came.
  private final NavigableMap<Long, WorkerNode> open = new TreeMap<>();

  private final WaitingQueue queue;
  private long coresOpen;
  private long memoryOpen;
  private long driverCores;
  private long driverMemory;
  private int unknown;
  private long nextOrder;

  Workers(WorkerOrder order, WaitingQueue queue) {
    this.free = new TreeSet<>(order(order));
    this.queue = queue;
  }

  /// The preferred first; of different workers no two are equal.
  static Comparator<WorkerNode> order(WorkerOrder order) {
    Comparator<WorkerNode> first =
        switch (order) {
          case CORES_FREE_DESC -> Comparator.comparingInt(worker -> -worker.coresFree());
          case CORES_FREE_ASC -> Comparator.comparingInt(WorkerNode::coresFree);
          case MEMORY_FREE_DESC -> Comparator.comparingInt(worker -> -worker.memoryFreeMebibytes());
          case MEMORY_FREE_ASC -> Comparator.comparingInt(WorkerNode::memoryFreeMebibytes);
          case WORKER_ID -> Comparator.comparing(WorkerNode::id);
        };
    return first.thenComparingLong(WorkerNode::order);
  }

  long nextOrder() {
    return nextOrder++;
  }

  /// In state UNKNOWN.
  void add(WorkerNode worker) {
    byId.put(worker.id(), worker);
    unknown++;
    byHostPort.put(worker.description().hostPort(), worker);
  }

  /// Nobody remembers it.
  void forget(WorkerNode worker) {
    byId.remove(worker.id(), worker);
    byHostPort.remove(worker.description().hostPort(), worker);
  }

  Optional<WorkerNode> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Optional<WorkerNode> findAt(String hostPort) {
    return Optional.ofNullable(byHostPort.get(hostPort));
  }

  Collection<WorkerNode> all() {
    return byId.values();
  }

  /// Whether there are any in state UNKNOWN.
  boolean hasUnknown() {
    return unknown > 0;
  }

  /// Changes whether it may be given more.
  ///
  /// @param state anything but UNKNOWN
  void change(WorkerNode worker, WorkerState state, PeerSession session) {
    close(worker);
    if (worker.state() == WorkerState.UNKNOWN) {
      unknown--;
    }
    worker.setState(state);
    worker.setSession(session);
    open(worker);
  }

  /// Its link is lost, so it is given nothing more.
  void loseLink(WorkerNode worker) {
    close(worker);
    worker.session().ifPresent(PeerSession::lose);
    queue.roomChanged(worker, false);
  }

  /// Gives it nothing more, or again what it has room for.
  void setLeftOut(WorkerNode worker, boolean leftOut) {
    close(worker);
    worker.setLeftOut(leftOut);
    open(worker);
  }

  /// It says whether it can start something.
  ///
  /// @param trouble why not; empty if it can
  void setTrouble(WorkerNode worker, String trouble) {
    if (worker.trouble().isEmpty() && trouble.isEmpty()) {
      return;
    }
    close(worker);
    worker.setTrouble(trouble);
    open(worker);
  }

  private void close(WorkerNode worker) {
    if (open.remove(worker.order()) != null) {
      coresOpen -= worker.description().cores();
      memoryOpen -= worker.description().memoryMebibytes();
      driverCores -= worker.driverCores();
      driverMemory -= worker.driverMemoryMebibytes();
    }
    free.remove(worker);
  }

  private void open(WorkerNode worker) {
    if (worker.isOpen()) {
      open.put(worker.order(), worker);
      coresOpen += worker.description().cores();
      memoryOpen += worker.description().memoryMebibytes();
      driverCores += worker.driverCores();
      driverMemory += worker.driverMemoryMebibytes();
      if (worker.hasRoom()) {
        free.add(worker);
      }
    }
    queue.roomChanged(worker, true);
  }

  void occupy(ExecutorGrant executor) {
    WorkerNode worker = executor.worker();
    worker.executors().put(executor.key(), executor);
    take(worker, executor.cores(), executor.memoryMebibytes());
  }

  void release(ExecutorGrant executor) {
    if (executor.worker().executors().remove(executor.key(), executor)) {
      take(executor.worker(), -executor.cores(), -executor.memoryMebibytes());
    }
  }

  void occupy(WorkerNode worker, DriverGrant driver) {
    worker.drivers().put(driver.key(), driver);
    takeForDriver(worker, driver.cores(), driver.memoryMebibytes());
  }

  void release(WorkerNode worker, DriverGrant driver) {
    if (worker.drivers().remove(driver.key(), driver)) {
      takeForDriver(worker, -driver.cores(), -driver.memoryMebibytes());
    }
  }

  private void takeForDriver(WorkerNode worker, int cores, int memoryMebibytes) {
    worker.takeForDriver(cores, memoryMebibytes);
    if (worker.isOpen()) {
      driverCores += cores;
      driverMemory += memoryMebibytes;
    }
    take(worker, cores, memoryMebibytes);
  }

  private void take(WorkerNode worker, int cores, int memoryMebibytes) {
    free.remove(worker);
    worker.take(cores, memoryMebibytes);
    if (worker.hasRoom()) {
      free.add(worker);
    }
    queue.roomChanged(worker, cores < 0 || memoryMebibytes < 0);
  }

  /// Those with a core left, the preferred first.
  NavigableSet<WorkerNode> free() {
    return free;
  }

  /// Those that may be given more, in the order in which they came.
  NavigableMap<Long, WorkerNode> open() {
    return open;
  }

  /// All cores of all workers that may be given more.
  long coresOpen() {
    return coresOpen;
  }

  long memoryOpenMebibytes() {
    return memoryOpen;
  }

  /// What drivers take of it.
  long driverCores() {
    return driverCores;
  }

  long driverMemoryMebibytes() {
    return driverMemory;
  }
}
