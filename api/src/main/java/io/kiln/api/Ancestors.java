package io.kiln.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
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
        if (next != last) {
          next.partitions();
        }
      }
    }
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
