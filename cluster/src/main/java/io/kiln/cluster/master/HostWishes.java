package io.kiln.cluster.master;

import io.kiln.cluster.protocol.ExecutorRequest;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// On which hosts an application wants its executors. Immutable.
final class HostWishes {
  private final Set<String> wanted;
  private final Set<String> avoided;

  private HostWishes(Set<String> wanted, Set<String> avoided) {
    this.wanted = wanted;
    this.avoided = avoided;
  }

  static HostWishes of(ExecutorRequest request) {
    return new HostWishes(
        new HashSet<>(request.wantedHosts()), new HashSet<>(request.avoidedHosts()));
  }

  boolean avoids(WorkerNode worker) {
    return avoided.contains(worker.description().host());
  }

  /// The workers that may be given to it in groups: what has no room in one group goes to the next.
  ///
  /// @param workers the preferred first; stay in that order
  List<? extends Collection<WorkerNode>> rank(Collection<WorkerNode> workers) {
    if (wanted.isEmpty() && avoided.isEmpty()) {
      return List.of(workers);
    }
    List<WorkerNode> allowed = workers.stream().filter(worker -> !avoids(worker)).toList();
    return List.of(
        allowed.stream().filter(worker -> isWanted(worker)).toList(),
        allowed.stream().filter(worker -> !isWanted(worker)).toList());
  }

  private boolean isWanted(WorkerNode worker) {
    return wanted.contains(worker.description().host());
  }
}
