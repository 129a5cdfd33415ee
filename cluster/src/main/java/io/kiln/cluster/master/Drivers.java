package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The drivers: those that wait, in order, those that run, and some that are over. Mutable, the
/// master's thread only.
final class Drivers {
  private final int retained;
  private final int maxWaiting;
  private final Map<String, DriverNode> byId = new HashMap<>();
  private final Map<String, DriverNode> byRequest = new HashMap<>();
  private final Map<String, DriverNode> active = new LinkedHashMap<>();
  private final Map<String, DriverNode> waiting = new LinkedHashMap<>();
  private final Deque<DriverNode> completed = new ArrayDeque<>();

  /// @param retained how many that are over are remembered
  /// @param maxWaiting how many may wait until no more are taken
  Drivers(int retained, int maxWaiting) {
    this.retained = retained;
    this.maxWaiting = maxWaiting;
  }

  void add(DriverNode driver) {
    byId.put(driver.id(), driver);
    byRequest.put(driver.requestId(), driver);
    if (driver.state().isFinal()) {
      completed.addLast(driver);
    } else {
      active.put(driver.id(), driver);
      refresh(driver);
    }
  }

  Optional<DriverNode> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Optional<DriverNode> findByRequest(String requestId) {
    return Optional.ofNullable(byRequest.get(requestId));
  }

  Collection<DriverNode> active() {
    return active.values();
  }

  /// Those that wait for a worker, the first first.
  Collection<DriverNode> waiting() {
    return waiting.values();
  }

  /// Whether no more may wait.
  boolean isFull() {
    return waiting.size() >= maxWaiting;
  }

  int running() {
    return active.size() - waiting.size();
  }

  /// The oldest first.
  Collection<DriverNode> completed() {
    return completed;
  }

  /// Its state has changed: keeps it, and puts the driver where it belongs. Forgets the oldest of
  /// those that are over, beyond the bound.
  void changed(DriverNode driver, Turn turn) {
    turn.persist(driver.toEntry());
    refresh(driver);
    if (driver.state().isFinal() && active.remove(driver.id()) != null) {
      completed.addLast(driver);
      while (completed.size() > retained) {
        forgetOldest(turn);
      }
    }
  }

  private void refresh(DriverNode driver) {
    if (driver.isWaiting()) {
      waiting.putIfAbsent(driver.id(), driver);
    } else {
      waiting.remove(driver.id());
    }
  }

  /// Forgets all that are over.
  int clearCompleted(Turn turn) {
    int count = completed.size();
    while (!completed.isEmpty()) {
      forgetOldest(turn);
    }
    return count;
  }

  private void forgetOldest(Turn turn) {
    DriverNode oldest = completed.removeFirst();
    byId.remove(oldest.id());
    byRequest.remove(oldest.requestId());
    turn.persist(new MasterEntry.Removed(oldest.toEntry().key()));
  }
}
