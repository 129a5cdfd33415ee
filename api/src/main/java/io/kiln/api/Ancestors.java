package io.kiln.api;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Computes partitions from the sources on, so that a lineage of thousands of operators does not
/// become as deep a stack of calls.
final class Ancestors {

  private Ancestors() {}

  /// Computes the partitions of all that `last` reads in its own stage, parents before children.
  static void computePartitions(Lineage<?> last) {
    Set<Integer> seen = new HashSet<>();
    Deque<Lineage<?>> open = new ArrayDeque<>();
    open.addLast(last);
    while (!open.isEmpty()) {
      Lineage<?> next = open.peekLast();
      if (!openParents(next, open, seen)) {
        open.removeLast();
        if (next != last && !(next instanceof UnionRDD)) { // who reads a union flattens it
          next.partitions();
        }
      }
    }
  }

  /// Computes how alike the records of `last` are, and of all that it is computed from as far as
  /// that is not known.
  static Determinism determinism(Lineage<?> last, int epoch) {
    Deque<Lineage<?>> open = new ArrayDeque<>();
    open.addLast(last);
    while (!open.isEmpty()) {
      Lineage<?> next = open.peekLast();
      if (next.knownDeterminism(epoch) != null) {
        open.removeLast();
        continue;
      }
      List<Determinism> inputs = new ArrayList<>();
      for (Dependency<?> dependency : next.dependencies()) {
        Lineage<?> parent = dependency.parent().node();
        Determinism known = parent.knownDeterminism(epoch);
        if (known == null) {
          open.addLast(parent);
        } else {
          inputs.add(given(dependency, known));
        }
      }
      if (open.peekLast() == next) {
        next.computeDeterminism(inputs, epoch);
      }
    }
    return last.knownDeterminism(epoch);
  }

  /// What a dependency gives of such records of its parent. Records combined by key and sorted by
  /// it are in a definite order: there is one a key.
  private static Determinism given(Dependency<?> dependency, Determinism parent) {
    return switch (dependency) {
      case NarrowDependency<?> _ -> parent;
      case ShuffleDependency<?, ?, ?> shuffle ->
          parent != Determinism.INDETERMINATE
                  && shuffle.keyOrder().isPresent()
                  && shuffle.aggregator().isPresent()
              ? Determinism.DETERMINATE
              : parent.and(Determinism.UNORDERED);
    };
  }

  private static boolean openParents(Lineage<?> child, Deque<Lineage<?>> open, Set<Integer> seen) {
    boolean opened = false;
    for (Dependency<?> dependency : child.dependencies()) {
      if (dependency instanceof NarrowDependency<?> narrow) {
        Lineage<?> parent = narrow.parent().node();
        if (!parent.knowsPartitions() && seen.add(parent.id())) {
          open.addLast(parent);
          opened = true;
        }
      }
    }
    return opened;
  }
}
