package io.kiln.cluster.master;

import io.kiln.base.machine.Turn;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The applications, or the drivers: those that are active, in the order in which they came, and
/// the last of those that are over. Mutable, the master's thread only.
///
/// @param <K> the key that whoever asked for one has drawn, so that who asks twice gets one
/// @param <N> an application, or a driver
final class Registry<K, N extends Registry.Node<K>> {

  /// What a registry needs to know.
  interface Node<K> {
    String id();

    K requestKey();

    boolean isOver();

    MasterEntry toEntry();
  }

  private final int retained;
  private final Map<String, N> byId = new HashMap<>();
  private final Map<K, N> byRequestKey = new HashMap<>();
  private final Map<String, N> active = new LinkedHashMap<>();
  private final Deque<N> completed = new ArrayDeque<>();

  /// @param retained how many that are over are remembered
  Registry(int retained) {
    this.retained = retained;
  }

  void add(N node) {
    byId.put(node.id(), node);
    byRequestKey.put(node.requestKey(), node);
    if (node.isOver()) {
      completed.addLast(node);
    } else {
      active.put(node.id(), node);
    }
  }

  Optional<N> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /// Those that are not over.
  Optional<N> findActive(String id) {
    return Optional.ofNullable(active.get(id));
  }

  Optional<N> findByRequestKey(K key) {
    return Optional.ofNullable(byRequestKey.get(key));
  }

  /// In the order in which they came.
  Collection<N> active() {
    return active.values();
  }

  /// The oldest first.
  Collection<N> completed() {
    return completed;
  }

  /// It is over now. Forgets the oldest of those that are, beyond the bound.
  void complete(N node, Turn turn) {
    if (active.remove(node.id()) != null) {
      completed.addLast(node);
      while (completed.size() > retained) {
        forgetOldest(turn);
      }
    }
  }

  /// Forgets all that are over.
  ///
  /// @return how many there were
  int clearCompleted(Turn turn) {
    int count = completed.size();
    while (!completed.isEmpty()) {
      forgetOldest(turn);
    }
    return count;
  }

  private void forgetOldest(Turn turn) {
    N oldest = completed.removeFirst();
    byId.remove(oldest.id());
    byRequestKey.remove(oldest.requestKey());
    turn.persist(new MasterEntry.Removed(oldest.toEntry().key()));
  }
}
