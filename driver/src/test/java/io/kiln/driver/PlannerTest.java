package io.kiln.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.CallSite;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.api.PairRDD;
import io.kiln.api.RDD;
import io.kiln.api.ShuffleDependency;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.SharedResource;
import io.kiln.scheduler.allocation.ExecutorTarget;
import io.kiln.scheduler.dag.StageGraph;
import io.kiln.scheduler.dag.StageGraph.Locality;
import io.kiln.scheduler.dag.StageGraph.Stage;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Plans of real lineages, whose stages nobody runs.
class PlannerTest {
  private static final KilnContext CONTEXT =
      KilnContext.create(new KilnConf(false).setMaster("local[1]").setAppName("test"));

  /// Persisted RDDs that are stored as a whole.
  private final Set<Integer> stored = new HashSet<>();

  private final Planner planner = new Planner(new StoringBackend());

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  private static PairRDD<Integer, Integer> pairs() {
    return CONTEXT.parallelize(List.of(1, 2, 3), 3).mapToPair(x -> new Pair<>(x % 2, x));
  }

  private StageGraph plan(RDD<?> rdd) {
    int[] all = IntStream.range(0, rdd.numPartitions()).toArray();
    return planner.plan(rdd, (_, _) -> 0, all, new CallSite("count", "User.java:1"));
  }

  private static List<Integer> shuffles(StageGraph graph) {
    return graph.stages().stream().filter(Stage::writesShuffle).map(Stage::shuffleId).toList();
  }

  /// Every stage stands behind those whose output it needs, and its result stage is last.
  private static void assertInOrder(StageGraph graph) {
    Set<Integer> written = new HashSet<>();
    for (Stage stage : graph.stages()) {
      assertThat(written).containsAll(stage.inputs().needed());
      written.add(stage.shuffleId());
    }
    assertThat(graph.resultStage().writesShuffle()).isFalse();
  }

  @Test
  void whatNeedsNoShuffleIsOneStage() {
    StageGraph graph =
        plan(CONTEXT.parallelize(List.of(1, 2, 3), 3).map(x -> x + 1).filter(_ -> true));
    assertThat(graph.stages()).hasSize(1);
    assertThat(graph.resultStage().numPartitions()).isEqualTo(3);
    assertThat(graph.resultStage().name()).contains("count").contains("User.java:1");
  }

  @Test
  void eachShuffleEndsAStageAndParentsComeFirst() {
    PairRDD<Integer, Integer> once = pairs().reduceByKey(Integer::sum, 2);
    RDD<?> twice = once.mapToPair(p -> new Pair<>(p.value(), p.key())).reduceByKey(Integer::sum, 5);
    StageGraph graph = plan(twice);

    assertThat(graph.stages()).extracting(Stage::numPartitions).containsExactly(3, 2, 5);
    assertInOrder(graph);
  }

  @Test
  void aShuffleThatIsReadByTwoWaysIsWrittenOnce() {
    PairRDD<Integer, Integer> shared = pairs().reduceByKey(Integer::sum, 2);
    RDD<?> left = shared.mapToPair(p -> new Pair<>(p.value(), 1)).reduceByKey(Integer::sum, 2);
    RDD<?> right = shared.mapToPair(p -> new Pair<>(p.key(), 2)).reduceByKey(Integer::sum, 2);
    StageGraph graph = plan(left.map(_ -> 1).union(right.map(_ -> 2)));

    assertThat(shuffles(graph)).hasSize(3).doesNotHaveDuplicates();
    assertInOrder(graph);
  }

  @Test
  void aShuffleKeepsItsStageFromJobToJobAndResultStagesDoNot() {
    RDD<?> reduced = pairs().reduceByKey(Integer::sum, 2);
    StageGraph first = plan(reduced);
    StageGraph second = plan(reduced.map(x -> x));
    assertThat(second.stages().getFirst().stageId()).isEqualTo(first.stages().getFirst().stageId());
    assertThat(second.resultStage().stageId()).isNotEqualTo(first.resultStage().stageId());
  }

  @Test
  void whatLiesBehindAStoredRddIsLeftOutUntilATaskMissesIt() {
    PairRDD<Integer, Integer> reduced = pairs().reduceByKey(Integer::sum, 2);
    RDD<Pair<Integer, Integer>> kept = reduced.map(x -> x).persist();
    RDD<?> last = kept.map(x -> x);
    int behind = ((ShuffleDependency<?, ?, ?>) reduced.dependencies().getFirst()).shuffleId();
    assertThat(shuffles(plan(last))).containsExactly(behind);

    stored.add(kept.id());
    StageGraph sparing = plan(last);
    assertThat(shuffles(sparing)).isEmpty();
    assertThat(sparing.resultStage().inputs().spared()).containsExactly(behind);
    assertThat(sparing.resultStage().inputs().persistedRddIds()).containsExactly(kept.id());

    StageGraph again = planner.planAgain(sparing, last, Set.of(behind));
    assertThat(shuffles(again)).containsExactly(behind);
    assertThat(again.resultStage().stageId()).isEqualTo(sparing.resultStage().stageId());
    assertThat(again.resultStage().binary()).isSameAs(sparing.resultStage().binary());
    assertInOrder(again);
  }

  @Test
  void aShuffleIsNeededThatIsAlsoReachedPastWhatIsStored() {
    PairRDD<Integer, Integer> reduced = pairs().reduceByKey(Integer::sum, 2);
    RDD<Pair<Integer, Integer>> kept = reduced.map(x -> x).persist();
    stored.add(kept.id());

    RDD<Pair<Integer, Integer>> past = reduced.map(x -> x);
    for (RDD<?> last : List.of(kept.union(past), past.union(kept))) {
      StageGraph graph = plan(last);
      assertThat(shuffles(graph)).hasSize(1);
      assertThat(graph.resultStage().inputs().spared()).isEmpty();
    }
  }

  @Test
  void aStageWhoseRecordsMayChangeIsMarked() {
    RDD<Pair<Integer, Integer>> unordered = pairs().repartition(2);
    RDD<?> numbered =
        unordered
            .zipWithUniqueId()
            .mapToPair(p -> new Pair<>(p.value(), 1))
            .reduceByKey(Integer::sum, 2);
    StageGraph graph = plan(numbered);
    assertThat(graph.stages()).extracting(Stage::indeterminate).containsExactly(false, true, false);
  }

  private final class StoringBackend implements Backend {
    private record Work(int rddId) implements Payload {}

    @Override
    public boolean holds(RDD<?> rdd) {
      return stored.contains(rdd.id());
    }

    @Override
    public StageBinaries binaries() {
      return new StageBinaries() {
        @Override
        public <T, R> Payload ofResult(
            RDD<T> rdd,
            PartitionFunction<T, ? extends R> function,
            int[] partitions,
            String operation) {
          return new Work(rdd.id());
        }

        @Override
        public <K, V, C> Payload ofShuffle(ShuffleDependency<K, V, C> shuffle) {
          return new Work(shuffle.parent().id());
        }
      };
    }

    @Override
    public Locality locality(RDD<?> last) {
      return Locality.ANYWHERE;
    }

    @Override
    public int slots() {
      return 1;
    }

    @Override
    public void start() {}

    @Override
    public void removeRdd(int rddId) {}

    @Override
    public void removeRddNow(int rddId) {}

    @Override
    public void removeShuffle(int shuffleId) {}

    @Override
    public void resourcesChanged(List<SharedResource> all) {}

    @Override
    public void setLogLevel(String level) {}

    @Override
    public void watchTasks(boolean watched) {}

    @Override
    public boolean requestExecutors(ExecutorTarget target) {
      return false;
    }

    @Override
    public boolean requestMoreExecutors(int additional) {
      return false;
    }

    @Override
    public boolean killExecutors(List<String> executorIds) {
      return false;
    }

    @Override
    public Optional<String> threadDump(String executorId) {
      return Optional.empty();
    }

    @Override
    public void stopTasks() {}

    @Override
    public void close() {}
  }
}
