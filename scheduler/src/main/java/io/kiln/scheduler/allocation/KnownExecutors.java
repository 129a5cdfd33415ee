package io.kiln.scheduler.allocation;

import io.kiln.scheduler.allocation.ExecutorLife.Registered;
import io.kiln.scheduler.allocation.ExecutorLife.Starting;
import io.kiln.scheduler.allocation.ExecutorLife.Unreachable;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The executors that the allocation machine has heard of. Mutable, that machine's thread only.
final class KnownExecutors {
  /// Those that are not gone, by id; the oldest first.
  private final Map<String, ExecutorLife> lives = new LinkedHashMap<>();

  private final Set<String> ended = new HashSet<>();

  /// @return whether the executor was not known: it is starting now
  boolean begin(String id) {
    return !ended.contains(id) && lives.putIfAbsent(id, new Starting()) == null;
  }

  /// For patterns.
  ///
  /// @return null if it is gone, or nobody knows it
  ExecutorLife get(String id) {
    return lives.get(id);
  }

  boolean isStarting(String id) {
    return lives.get(id) instanceof Starting;
  }

  void change(String id, ExecutorLife life) {
    lives.put(id, life);
  }

  void end(String id) {
    lives.remove(id);
    ended.add(id);
  }

  Collection<ExecutorLife> lives() {
    return lives.values();
  }

  boolean isExpected(String id) {
    return lives.containsKey(id) && lives.get(id).isExpected();
  }

  int countExpected() {
    return (int) lives.values().stream().filter(ExecutorLife::isExpected).count();
  }

  boolean isAnyStarting() {
    return lives.values().stream().anyMatch(Starting.class::isInstance);
  }

  boolean hasNoneCome() {
    return lives.values().stream()
        .noneMatch(life -> life instanceof Registered || life instanceof Unreachable);
  }

  /// Those that are there, and count no longer.
  Set<String> going() {
    Set<String> going = new LinkedHashSet<>();
    lives.forEach(
        (id, life) -> {
          if (!life.isExpected()) {
            going.add(id);
          }
        });
    return going;
  }

  /// Of those that count, the one with the least to lose: one that has not come yet, or else the
  /// youngest.
  ///
  /// @return empty if none counts
  Optional<String> chooseLeastLoss() {
    Optional<String> chosen = Optional.empty();
    boolean chosenHasCome = true;
    for (Map.Entry<String, ExecutorLife> executor : lives.entrySet()) {
      boolean hasCome = executor.getValue() instanceof Registered;
      if (executor.getValue().isExpected() && (chosenHasCome || !hasCome)) {
        chosen = Optional.of(executor.getKey());
        chosenHasCome = hasCome;
      }
    }
    return chosen;
  }
}
