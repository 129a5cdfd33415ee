package io.kiln.api;

import io.kiln.api.spi.StoredPlaces;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Looks where partitions of one RDD are cheap to compute: where a persisted partition that it
/// reads is stored, else where an input that it reads lies. What is nearest counts, and what is
/// read first.
///
/// A lineage of any depth and with any number of ways to one RDD costs a step a partition of each
/// RDD. Used by one thread.
final class Places {
  private record Node(Lineage<?> rdd, int partition) {}

  private record Key(int rddId, int partition) {}

  private final StoredPlaces stored;

  /// From these no way leads to a place.
  private final Set<Key> barren = new HashSet<>();

  Places(StoredPlaces stored) {
    this.stored = stored;
  }

  List<String> of(Lineage<?> last, int partition) {
    Set<Key> seen = new HashSet<>();
    Deque<Node> open = new ArrayDeque<>();
    open.addLast(new Node(last.node(), partition));
    while (!open.isEmpty()) {
      Node next = open.removeLast();
      Key key = new Key(next.rdd().id(), next.partition());
      if (barren.contains(key) || !seen.add(key)) {
        continue;
      }
      List<String> places = ownPlaces(next);
      if (!places.isEmpty()) {
        return places;
      }
      openParents(next, open);
    }
    barren.addAll(seen);
    return List.of();
  }

  private List<String> ownPlaces(Node node) {
    if (node.rdd().storageLevel().isPersistent()) {
      List<String> holders = stored.of(node.rdd().id(), node.partition());
      if (!holders.isEmpty()) {
        return holders;
      }
    }
    return node.rdd().ownPreferredLocations(node.partition());
  }

  private static void openParents(Node child, Deque<Node> open) {
    for (Dependency<?> dependency : child.rdd().dependencies().reversed()) {
      if (dependency instanceof NarrowDependency<?> narrow) {
        for (int parent : narrow.parentPartitions(child.partition()).reversed()) {
          open.addLast(new Node(narrow.parent(), parent));
        }
      }
    }
  }
}
