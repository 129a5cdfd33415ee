package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The applications: those that run, in an order those of them that want more, and some that are
/// over. Mutable, the master's thread only.
final class Applications {
  private final int retained;
  private final Map<String, ApplicationNode> byId = new HashMap<>();
  private final Map<Long, ApplicationNode> byIncarnation = new HashMap<>();
  private final Map<String, ApplicationNode> active = new LinkedHashMap<>();
  private final Deque<ApplicationNode> completed = new ArrayDeque<>();

  /// Of each pool, those that want more.
  private final Map<String, HungryApplications> hungry = new TreeMap<>();

  private final Map<String, Integer> coresByPool = new HashMap<>();
  private long nextOrder;

  /// @param retained how many that are over are remembered
  Applications(int retained) {
    this.retained = retained;
  }

  long nextOrder() {
    return nextOrder++;
  }

  void add(ApplicationNode application) {
    byId.put(application.id(), application);
    byIncarnation.put(application.incarnation(), application);
    if (application.state().isFinal()) {
      completed.addLast(application);
    } else {
      active.put(application.id(), application);
    }
  }

  Optional<ApplicationNode> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Optional<ApplicationNode> find(long incarnation) {
    return Optional.ofNullable(byIncarnation.get(incarnation));
  }

  /// In the order in which they came.
  Collection<ApplicationNode> active() {
    return active.values();
  }

  /// The oldest first.
  Collection<ApplicationNode> completed() {
    return completed;
  }

  /// It has been ended. Forgets the oldest of those that are over, beyond the bound.
  void complete(ApplicationNode application, Turn turn) {
    active.remove(application.id());
    completed.addLast(application);
    refresh(application, turn);
    while (completed.size() > retained) {
      forgetOldest(turn);
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
    ApplicationNode oldest = completed.removeFirst();
    byId.remove(oldest.id());
    byIncarnation.remove(oldest.incarnation());
    turn.persist(new MasterEntry.Removed(oldest.toEntry().key()));
  }

  /// To be called whenever something has changed that tells what it wants: all workers are tried
  /// for it.
  void refresh(ApplicationNode application, Turn turn) {
    satisfied(application);
    if (application.isHungry(turn.nowNanos())) {
      hungry.computeIfAbsent(application.pool(), _ -> new HungryApplications()).add(application);
    }
  }

  /// It has got all that it wants.
  void satisfied(ApplicationNode application) {
    HungryApplications pool = hungry.get(application.pool());
    if (pool != null) {
      pool.remove(application);
      if (pool.isEmpty()) {
        hungry.remove(application.pool());
      }
    }
  }

  /// All workers were tried for all that want more.
  void markTried() {
    hungry.values().forEach(HungryApplications::markTried);
  }

  /// Whether there is one for which not all workers were tried.
  boolean hasUntried() {
    return hungry.values().stream().anyMatch(HungryApplications::hasUntried);
  }

  /// The pools with applications that want more, by name.
  Set<String> hungryPools() {
    return hungry.keySet();
  }

  /// Whose turn it is in a pool, after another.
  ///
  /// @param untriedOnly only one for which not all workers were tried
  Optional<ApplicationNode> nextHungry(
      String pool, Optional<ApplicationNode> after, boolean untriedOnly) {
    return Optional.ofNullable(hungry.get(pool)).flatMap(some -> some.next(after, untriedOnly));
  }

  void grant(ApplicationNode application, ExecutorGrant executor) {
    application.add(executor);
    coresByPool.merge(application.pool(), executor.cores(), Integer::sum);
  }

  /// @return whether the application had the executor
  boolean revoke(ApplicationNode application, ExecutorGrant executor) {
    boolean had = application.remove(executor);
    if (had && !executor.isLeaving()) {
      coresByPool.merge(application.pool(), -executor.cores(), Integer::sum);
    }
    return had;
  }

  /// Its worker is decommissioned; the application may have another for it.
  ///
  /// @param executor that the application has, and that was not leaving
  void leave(ApplicationNode application, ExecutorGrant executor, Turn turn) {
    application.leave(executor);
    coresByPool.merge(application.pool(), -executor.cores(), Integer::sum);
    refresh(application, turn);
  }

  /// What all pools but these have.
  int coresOutside(Collection<String> pools) {
    return coresByPool.entrySet().stream()
        .filter(pool -> !pools.contains(pool.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  int coresOf(String pool) {
    return coresByPool.getOrDefault(pool, 0);
  }
}
