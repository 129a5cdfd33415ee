package io.kiln.cluster.master;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// The applications of one pool that want more, in the order in which they get it. Mutable, the
/// master's thread only.
final class HungryApplications {
  private static final Comparator<ApplicationNode> IN_TURN =
      Comparator.comparingInt(
              (ApplicationNode application) -> -application.description().share().priority())
          .thenComparingLong(ApplicationNode::order);

  private final NavigableSet<ApplicationNode> all = new TreeSet<>(IN_TURN);

  /// Those for which not all workers were tried.
  private final NavigableSet<ApplicationNode> untried = new TreeSet<>(IN_TURN);

  void add(ApplicationNode application) {
    all.add(application);
    untried.add(application);
    application.setTried(false);
  }

  void remove(ApplicationNode application) {
    all.remove(application);
    untried.remove(application);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  boolean hasUntried() {
    return !untried.isEmpty();
  }

  void markTried() {
    untried.forEach(application -> application.setTried(true));
    untried.clear();
  }

  /// @param after may have left meanwhile; empty: the first
  Optional<ApplicationNode> next(Optional<ApplicationNode> after, boolean untriedOnly) {
    NavigableSet<ApplicationNode> some = untriedOnly ? untried : all;
    if (after.isPresent()) {
      return Optional.ofNullable(some.higher(after.get()));
    }
    return some.isEmpty() ? Optional.empty() : Optional.of(some.first());
  }
}
