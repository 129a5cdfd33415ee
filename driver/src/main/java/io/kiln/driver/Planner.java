package io.kiln.driver;

import io.kiln.api.CallSite;
import io.kiln.api.Dependency;
import io.kiln.api.Determinism;
import io.kiln.api.NarrowDependency;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Cuts a lineage at its shuffles into stages. Thread-safe.
///
/// Nothing here recurses: a lineage of any depth can be planned. It holds on to no RDD, only to the
/// stage ids of shuffles.
final class Planner {
  private final Backend backend;
  private final Map<Integer, Integer> stageIdOfShuffle = new ConcurrentHashMap<>();
  private final AtomicInteger nextStageId = new AtomicInteger();

  /// @param backend above a persisted RDD all of whose partitions it holds, nothing needs to run
  Planner(Backend backend) {
    this.backend = backend;
  }

  /// @param function what the result stage does with a partition
  /// @param partitions of the RDD that the action asks for
  /// @param action where the user's code asked for it; names the result stage
  /// @throws io.kiln.api.KilnException if a stage can't be serialised
  <T, R> StageGraph plan(
      RDD<T> rdd, PartitionFunction<T, ? extends R> function, int[] partitions, CallSite action) {
    StoredRdds stored = new StoredRdds();
    List<ShuffleDependency<?, ?, ?>> read = shufflesReadBy(rdd, stored);
    List<Stage> stages = mapStages(read, stored);
    stages.add(
        new Stage(
            nextStageId.getAndIncrement(),
            StageGraph.NO_SHUFFLE,
            rdd.numPartitions(),
            ids(read),
            action.toString(),
            backend.binaries().ofResult(rdd, function, partitions, action.operation()),
            backend.locality(rdd)));
    return new StageGraph(stages);
  }

  /// Forgets a shuffle that nobody refers to.
  void forgetShuffle(int shuffleId) {
    stageIdOfShuffle.remove(shuffleId);
  }

  /// The stages that write `wanted` and, before each, those that it needs.
  private List<Stage> mapStages(List<ShuffleDependency<?, ?, ?>> wanted, StoredRdds stored) {
    Map<Integer, Stage> planned = new LinkedHashMap<>();
    Map<Integer, List<ShuffleDependency<?, ?, ?>>> opened = new HashMap<>();
    Deque<ShuffleDependency<?, ?, ?>> open = new ArrayDeque<>(wanted.reversed());
    while (!open.isEmpty()) {
      ShuffleDependency<?, ?, ?> shuffle = open.peekLast();
      int id = shuffle.shuffleId();
      List<ShuffleDependency<?, ?, ?>> parents = opened.get(id);
      if (parents == null) {
        parents = shufflesReadBy(shuffle.parent(), stored);
        opened.put(id, parents);
        for (ShuffleDependency<?, ?, ?> parent : parents.reversed()) {
          if (!opened.containsKey(parent.shuffleId())) {
            open.addLast(parent);
          }
        }
      } else {
        open.removeLast();
        if (!planned.containsKey(id)) {
          planned.put(id, mapStage(shuffle, parents));
        }
      }
    }
    return new ArrayList<>(planned.values());
  }

  private Stage mapStage(
      ShuffleDependency<?, ?, ?> shuffle, List<ShuffleDependency<?, ?, ?>> parents) {
    RDD<?> last = shuffle.parent();
    Stage stage =
        new Stage(
            stageIdOfShuffle.computeIfAbsent(
                shuffle.shuffleId(), _ -> nextStageId.getAndIncrement()),
            shuffle.shuffleId(),
            shuffle.numMaps(),
            ids(parents),
            last.callSite().toString(),
            backend.binaries().ofShuffle(shuffle),
            backend.locality(last));
    return last.determinism() == Determinism.INDETERMINATE ? stage.asIndeterminate() : stage;
  }

  /// The shuffles that the stage that ends with `last` reads, each once.
  private static List<ShuffleDependency<?, ?, ?>> shufflesReadBy(RDD<?> last, StoredRdds stored) {
    List<ShuffleDependency<?, ?, ?>> found = new ArrayList<>();
    Set<Integer> seenShuffles = new HashSet<>();
    Set<Integer> seenRdds = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>();
    open.addLast(last);
    seenRdds.add(last.id());
    while (!open.isEmpty()) {
      RDD<?> rdd = open.removeLast();
      if (stored.contains(rdd)) {
        continue;
      }
      for (Dependency<?> dependency : rdd.dependencies()) {
        switch (dependency) {
          case ShuffleDependency<?, ?, ?> shuffle -> {
            if (seenShuffles.add(shuffle.shuffleId())) {
              found.add(shuffle);
            }
          }
          case NarrowDependency<?> narrow -> {
            if (seenRdds.add(narrow.parent().id())) {
              open.addLast(narrow.parent());
            }
          }
        }
      }
    }
    return found;
  }

  private static List<Integer> ids(List<ShuffleDependency<?, ?, ?>> shuffles) {
    List<Integer> ids = new ArrayList<>(shuffles.size());
    for (ShuffleDependency<?, ?, ?> shuffle : shuffles) {
      ids.add(shuffle.shuffleId());
    }
    return ids;
  }

  /// Asks once a plan about each persisted RDD, so that the plan is of one moment.
  private final class StoredRdds {
    private final Map<Integer, Boolean> answers = new HashMap<>();

    boolean contains(RDD<?> rdd) {
      return rdd.storageLevel().isPersistent()
          && answers.computeIfAbsent(rdd.id(), _ -> backend.holds(rdd));
    }
  }
}
