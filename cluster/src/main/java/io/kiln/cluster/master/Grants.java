package io.kiln.cluster.master;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// Gives executors to applications, and counts what pools have by that. Mutable, the master's
/// thread only.
///
/// An executor that its application has:
///
/// ```
///  counted ── its worker is decommissioned ──► leaving: another may take its place
///     │                                           │
///     └──────── it has ended, or was given up ────┴──► revoked
/// ```
final class Grants {
  private final Map<String, Integer> coresByPool = new HashMap<>();

  void grant(ApplicationNode application, ExecutorGrant executor) {
    application.add(executor);
    coresByPool.merge(application.pool(), executor.cores(), Integer::sum);
  }

  /// @return whether the application had the executor
  boolean revoke(ApplicationNode application, ExecutorGrant executor) {
    int before = application.coresGranted();
    boolean had = application.remove(executor);
    coresByPool.merge(application.pool(), application.coresGranted() - before, Integer::sum);
    return had;
  }

  /// From now on it does not count for what the application may have.
  ///
  /// @param executor that the application has, and that was not leaving
  void leave(ApplicationNode application, ExecutorGrant executor) {
    application.leave(executor);
    coresByPool.merge(application.pool(), -executor.cores(), Integer::sum);
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
