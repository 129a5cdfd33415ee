package io.kiln.cluster.master;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// Those of one kind that wait for room on workers, in the order in which they get it. Mutable, the
/// master's thread only.
///
/// @param <N> drivers, or applications
final class WaitingLine<N> {
  private final NavigableSet<N> all;

  /// Those of them for which not all workers were tried.
  private final NavigableSet<N> untried;

  /// @param order of different ones no two are equal; does not change while one is in the line
  WaitingLine(Comparator<N> order) {
    this.all = new TreeSet<>(order);
    this.untried = new TreeSet<>(order);
  }

  /// All workers are to be tried for it.
  void add(N node) {
    all.add(node);
    untried.add(node);
  }

  void remove(N node) {
    all.remove(node);
    untried.remove(node);
  }

  boolean contains(N node) {
    return all.contains(node);
  }

  int size() {
    return all.size();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  boolean isUntried(N node) {
    return untried.contains(node);
  }

  boolean hasUntried() {
    return !untried.isEmpty();
  }

  /// All workers were tried for it.
  void markTried(N node) {
    untried.remove(node);
  }

  /// All workers were tried for all.
  void markAllTried() {
    untried.clear();
  }

  List<N> list(boolean untriedOnly) {
    return List.copyOf(untriedOnly ? untried : all);
  }

  /// @param after may have left meanwhile; empty: the first
  Optional<N> next(Optional<N> after, boolean untriedOnly) {
    NavigableSet<N> some = untriedOnly ? untried : all;
    if (after.isPresent()) {
      return Optional.ofNullable(some.higher(after.get()));
    }
    return some.isEmpty() ? Optional.empty() : Optional.of(some.first());
  }
}
