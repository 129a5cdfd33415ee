package io.kiln.driver;

import io.kiln.api.CallSite;
import io.kiln.api.Determinism;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.driver.LineageView.StageReads;
import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Cuts a lineage at its shuffles into stages. Thread-safe.
///
/// What lies behind a persisted RDD all of whose partitions are stored is left out. What is stored
/// may be lost before a task reads it: then the job is planned anew, with the stages that the task
/// has missed.
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
    LineageView view = new LineageView(backend::holds, Set.of());
    StageReads reads = view.readsOf(rdd);
    List<Stage> stages = mapStages(reads.needed(), view);
    stages.add(
        new Stage(
            nextStageId.getAndIncrement(),
            StageGraph.NO_SHUFFLE,
            rdd.numPartitions(),
            reads.inputs(),
            action.toString(),
            backend.binaries().ofResult(rdd, function, partitions, action.operation()),
            backend.locality(rdd)));
    return new StageGraph(stages);
  }

  /// Plans a job again, of which some tasks may have run. What the action's function holds is as it
  /// was at first.
  ///
  /// @param rdd what the job computes
  /// @param missed shuffles not to be left out, whatever is stored
  StageGraph planAgain(StageGraph first, RDD<?> rdd, Set<Integer> missed) {
    LineageView view = new LineageView(backend::holds, missed);
    StageReads reads = view.readsOf(rdd);
    List<Stage> stages = mapStages(reads.needed(), view);
    Stage result = first.resultStage();
    stages.add(
        new Stage(
            result.stageId(),
            StageGraph.NO_SHUFFLE,
            result.numPartitions(),
            reads.inputs(),
            result.name(),
            result.binary(),
            backend.locality(rdd)));
    return new StageGraph(stages);
  }

  /// Forgets a shuffle that nobody refers to.
  void forgetShuffle(int shuffleId) {
    stageIdOfShuffle.remove(shuffleId);
  }

  /// The stages that write `wanted` and, before each, those that it needs.
  private List<Stage> mapStages(List<ShuffleDependency<?, ?, ?>> wanted, LineageView view) {
    Map<Integer, Stage> planned = new LinkedHashMap<>();
    Map<Integer, StageReads> opened = new HashMap<>();
    Deque<ShuffleDependency<?, ?, ?>> open = new ArrayDeque<>(wanted.reversed());
    while (!open.isEmpty()) {
      ShuffleDependency<?, ?, ?> shuffle = open.peekLast();
      int id = shuffle.shuffleId();
      StageReads reads = opened.get(id);
      if (reads == null) {
        reads = view.readsOf(shuffle.parent());
        opened.put(id, reads);
        for (ShuffleDependency<?, ?, ?> parent : reads.needed().reversed()) {
          if (!opened.containsKey(parent.shuffleId())) {
            open.addLast(parent);
          }
        }
      } else {
        open.removeLast();
        if (!planned.containsKey(id)) {
          planned.put(id, mapStage(shuffle, reads));
        }
      }
    }
    return new ArrayList<>(planned.values());
  }

  private Stage mapStage(ShuffleDependency<?, ?, ?> shuffle, StageReads reads) {
    RDD<?> last = shuffle.parent();
    Stage stage =
        new Stage(
            stageIdOfShuffle.computeIfAbsent(
                shuffle.shuffleId(), _ -> nextStageId.getAndIncrement()),
            shuffle.shuffleId(),
            shuffle.numMaps(),
            reads.inputs(),
            last.callSite().toString(),
            backend.binaries().ofShuffle(shuffle),
            backend.locality(last));
    return last.determinism() == Determinism.INDETERMINATE ? stage.asIndeterminate() : stage;
  }
}
