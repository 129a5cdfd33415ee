package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The applications: those that run, in an order those of them that want more, and some that are
/// over. Mutable, the master's thread only.
final class Applications {
  private final int retained;
  private final Map<String, ApplicationNode> byId = new HashMap<>();
  private final Map<Long, ApplicationNode> byIncarnation = new HashMap<>();
  private final Map<String, ApplicationNode> active = new LinkedHashMap<>();
  private final Deque<ApplicationNode> completed = new ArrayDeque<>();

  /// Within a pool, whose turn it is first.
  private final NavigableSet<ApplicationNode> hungry =
      new TreeSet<>(
          Comparator.comparingInt(
                  (ApplicationNode application) -> -application.description().share().priority())
              .thenComparingLong(ApplicationNode::order));

  private final Map<String, Integer> coresByPool = new HashMap<>();
  private int untried;
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
    if (hungry.remove(application) && !application.isTried()) {
      untried--;
    }
    if (application.isHungry(turn.nowNanos())) {
      hungry.add(application);
      application.setTried(false);
      untried++;
    }
  }

  /// It has got all that it wants.
  void satisfied(ApplicationNode application) {
    if (hungry.remove(application) && !application.isTried()) {
      untried--;
    }
  }

  /// All workers were tried for all that want more.
  void markTried() {
    if (untried > 0) {
      hungry.forEach(application -> application.setTried(true));
      untried = 0;
    }
  }

  /// Whether there is one for which not all workers were tried.
  boolean hasUntried() {
    return untried > 0;
  }

  NavigableSet<ApplicationNode> hungry() {
    return hungry;
  }

  void grant(ApplicationNode application, ExecutorGrant executor) {
    application.add(executor);
    coresByPool.merge(application.pool(), executor.cores(), Integer::sum);
  }

  /// @return whether the application had the executor
  boolean revoke(ApplicationNode application, ExecutorGrant executor) {
    boolean had = application.remove(executor);
    if (had) {
      coresByPool.merge(application.pool(), -executor.cores(), Integer::sum);
    }
    return had;
  }

  /// What all pools but these have.
  int coresOutside(Set<String> pools) {
    return coresByPool.entrySet().stream()
        .filter(pool -> !pools.contains(pool.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  int coresOf(String pool) {
    return coresByPool.getOrDefault(pool, 0);
  }
}
