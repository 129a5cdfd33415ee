package io.kiln.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A lineage as text: a block a stage, indented by the shuffles that come after it.
final class DebugString {
  private final StringBuilder text = new StringBuilder();
  private final Set<Integer> shown = new HashSet<>();

  private DebugString() {}

  static String of(RDD<?> rdd) {
    DebugString debug = new DebugString();
    debug.show(rdd);
    return debug.text.toString();
  }

  /// What is yet to be shown: an RDD of the same stage, or one before a shuffle.
  ///
  /// @param indent of the stage that reads it
  private record Pending(RDD<?> rdd, boolean beforeShuffle, String indent) {}

  private void show(RDD<?> last) {
    Deque<Pending> pending = new ArrayDeque<>();
    stage(last, "", "", pending);
    while (!pending.isEmpty()) {
      Pending next = pending.pop();
      String indent = next.indent();
      if (!shown.add(next.rdd().id())) {
        line(indent + " |  (shown above) ", next.rdd());
      } else if (next.beforeShuffle()) {
        stage(next.rdd(), indent + " +-", indent + "    ", pending);
      } else {
        line(indent + " |  ", next.rdd());
        parents(next.rdd(), indent, pending);
      }
    }
  }

  private void stage(RDD<?> last, String firstIndent, String indent, Deque<Pending> pending) {
    line(firstIndent + "(" + last.numPartitions() + ") ", last);
    parents(last, indent, pending);
  }

  private static void parents(RDD<?> rdd, String indent, Deque<Pending> pending) {
    List<Dependency<?>> dependencies = rdd.dependencies();
    for (int i = dependencies.size() - 1; i >= 0; i--) {
      Dependency<?> dependency = dependencies.get(i);
      pending.push(
          new Pending(dependency.parent(), dependency instanceof ShuffleDependency, indent));
    }
  }

  private void line(String indent, RDD<?> rdd) {
    if (!text.isEmpty()) {
      text.append('\n');
    }
    text.append(indent).append(rdd);
    StorageLevel level = rdd.storageLevel();
    if (level.isPersistent()) {
      text.append(" [").append(level.describe()).append(']');
    }
  }
}
