package io.kiln.driver;

import io.kiln.api.Dependency;
import io.kiln.api.NarrowDependency;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.scheduler.dag.StageGraph.Inputs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// What stages read of a lineage, given what is stored. Each persisted RDD is asked about once, so
/// that a plan is of one moment. Used by one thread.
final class LineageView {
  private final Predicate<RDD<?>> isStored;
  private final Set<Integer> missed;
  private final Map<Integer, Boolean> answers = new HashMap<>();

  /// What a stage reads.
  ///
  /// @param needed the shuffles whose stages have to run before it, each once
  record StageReads(List<ShuffleDependency<?, ?, ?>> needed, Inputs inputs) {}

  /// @param isStored whether every partition of a persisted RDD is
  /// @param missed shuffles that are needed even if they lie behind what is stored
  LineageView(Predicate<RDD<?>> isStored, Set<Integer> missed) {
    this.isStored = isStored;
    this.missed = missed;
  }

  /// @param last where the stage ends
  StageReads readsOf(RDD<?> last) {
    Walk walk = new Walk();
    walk.goThrough(last, false);
    List<Integer> spared = new ArrayList<>();
    // Only now: an RDD may be reached past what is stored, too.
    for (RDD<?> rdd = walk.behind.pollFirst(); rdd != null; rdd = walk.behind.pollFirst()) {
      walk.goThrough(rdd, true);
    }
    List<Integer> needed = new ArrayList<>();
    List<ShuffleDependency<?, ?, ?>> wanted = new ArrayList<>();
    walk.shuffles.forEach(
        (id, reached) -> {
          if (reached.isBehindStored() && !missed.contains(id)) {
            spared.add(id);
          } else {
            needed.add(id);
            wanted.add(reached.shuffle());
          }
        });
    return new StageReads(wanted, new Inputs(needed, spared, walk.persisted));
  }

  private boolean isStored(RDD<?> rdd) {
    return answers.computeIfAbsent(rdd.id(), _ -> isStored.test(rdd));
  }

  private record Reached(ShuffleDependency<?, ?, ?> shuffle, boolean isBehindStored) {}

  /// Through the RDDs of one stage, each visited once.
  private final class Walk {
    private final Set<Integer> seen = new HashSet<>();
    private final Map<Integer, Reached> shuffles = new LinkedHashMap<>();
    private final List<Integer> persisted = new ArrayList<>();

    /// The parents of stored RDDs.
    private final Deque<RDD<?>> behind = new ArrayDeque<>();

    private final Deque<RDD<?>> open = new ArrayDeque<>();

    void goThrough(RDD<?> first, boolean isBehindStored) {
      visit(first);
      while (!open.isEmpty()) {
        RDD<?> rdd = open.removeLast();
        boolean isPersisted = rdd.storageLevel().isPersistent();
        if (isPersisted) {
          persisted.add(rdd.id());
        }
        boolean parentsAreBehind = isBehindStored || (isPersisted && isStored(rdd));
        for (Dependency<?> dependency : rdd.dependencies()) {
          switch (dependency) {
            case ShuffleDependency<?, ?, ?> shuffle -> reach(shuffle, parentsAreBehind);
            case NarrowDependency<?> narrow when parentsAreBehind && !isBehindStored ->
                behind.addLast(narrow.parent());
            case NarrowDependency<?> narrow -> visit(narrow.parent());
          }
        }
      }
    }

    private void visit(RDD<?> rdd) {
      if (seen.add(rdd.id())) {
        open.addLast(rdd);
      }
    }

    private void reach(ShuffleDependency<?, ?, ?> shuffle, boolean isBehindStored) {
      shuffles.merge(
          shuffle.shuffleId(),
          new Reached(shuffle, isBehindStored),
          (known, other) -> known.isBehindStored() ? other : known);
    }
  }
}
