package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.JobStatus;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What those who watch are told, and when.
@Timeout(60)
class ListenersTest {
  private static final List<KilnEvent> HEARD = new CopyOnWriteArrayList<>();

  /// Made by name.
  public static final class Recorder implements KilnListener {
    @Override
    public void onEvent(KilnEvent event) {
      HEARD.add(event);
    }
  }

  @BeforeEach
  void forget() {
    HEARD.clear();
  }

  private static String name(KilnEvent event) {
    return switch (event) {
      case KilnEvent.StageSubmitted e -> "StageSubmitted " + e.stage().stageId();
      case KilnEvent.StageCompleted e ->
          "StageCompleted " + e.stage().stageId() + " of " + e.stage().numTasks();
      case KilnEvent.TaskStarted e ->
          "TaskStarted " + e.task().stageId() + "." + e.task().partition();
      case KilnEvent.TaskEnded e -> "TaskEnded " + e.task().stageId() + "." + e.task().partition();
      default -> event.getClass().getSimpleName();
    };
  }

  @Test
  void eventsComeInTheOrderInWhichThingsHappen() {
    try (KilnContext context =
        KilnContext.create(
            Contexts.conf("local[1]").set("spark.extraListeners", Recorder.class.getName()))) {
      long _ =
          context
              .range(0, 1_000, 1, 2)
              .mapToPair(x -> Pair.of(x % 10, x))
              .reduceByKey(Long::sum, 1)
              .count();
    }
    List<String> names = HEARD.stream().map(ListenersTest::name).toList();
    assertThat(names)
        .containsExactlyInAnyOrder(
            "ApplicationStarted",
            "JobStarted",
            "StageSubmitted 0",
            "TaskStarted 0.0",
            "TaskEnded 0.0",
            "TaskStarted 0.1",
            "TaskEnded 0.1",
            "StageCompleted 0 of 2",
            "StageSubmitted 1",
            "TaskStarted 1.0",
            "TaskEnded 1.0",
            "StageCompleted 1 of 1",
            "JobEnded",
            "ApplicationEnded");
    assertThat(names).startsWith("ApplicationStarted", "JobStarted", "StageSubmitted 0");
    assertThat(names)
        .containsSubsequence("StageSubmitted 0", "TaskStarted 0.0", "TaskEnded 0.0")
        .containsSubsequence("TaskStarted 0.1", "TaskEnded 0.1", "StageCompleted 0 of 2");
    assertThat(names)
        .endsWith(
            "StageCompleted 0 of 2",
            "StageSubmitted 1",
            "TaskStarted 1.0",
            "TaskEnded 1.0",
            "StageCompleted 1 of 1",
            "JobEnded",
            "ApplicationEnded");
    List<KilnEvent.TaskMetrics> metrics =
        HEARD.stream()
            .filter(KilnEvent.TaskEnded.class::isInstance)
            .map(event -> ((KilnEvent.TaskEnded) event).metrics())
            .toList();
    assertThat(metrics.get(0).shuffleWriteRecords()).isEqualTo(10);
    assertThat(metrics.get(0).shuffleWriteBytes()).isPositive();
    assertThat(metrics.get(2).shuffleReadRecords()).isEqualTo(20);
  }

  @Test
  void aShuffleKeepsItsStageFromJobToJob() {
    try (KilnContext context =
        KilnContext.create(
            Contexts.conf("local[1]").set("spark.extraListeners", Recorder.class.getName()))) {
      RDD<Pair<Long, Long>> sums =
          context.range(0, 100, 1, 2).mapToPair(x -> Pair.of(x % 10, x)).reduceByKey(Long::sum, 1);
      long _ = sums.count();
      long _ = sums.count();
    }
    List<List<Integer>> stagesOfJobs =
        HEARD.stream()
            .filter(KilnEvent.JobStarted.class::isInstance)
            .map(event -> ((KilnEvent.JobStarted) event).stages())
            .map(stages -> stages.stream().map(KilnEvent.StageInfo::stageId).toList())
            .toList();
    assertThat(stagesOfJobs).containsExactly(List.of(0, 1), List.of(0, 2));
    assertThat(HEARD.stream().map(ListenersTest::name))
        .containsOnlyOnce("StageSubmitted 0")
        .contains("StageSubmitted 1", "StageSubmitted 2");
  }

  @Test
  void aTasksTimeIsTold() {
    try (KilnContext context = Contexts.open("local[1]")) {
      context.addListener(new Recorder());
      context.runJob(
          context.range(0, 1, 1, 1),
          (_, _) -> {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 20_000_000) {
              Thread.onSpinWait();
            }
            return 1;
          });
    }
    assertThat(HEARD)
        .filteredOn(KilnEvent.TaskEnded.class::isInstance)
        .singleElement()
        .satisfies(
            event ->
                assertThat(((KilnEvent.TaskEnded) event).metrics().runTimeMillis())
                    .isBetween(20L, 20_000L));
  }

  @Test
  void whoHasAResultFindsTheJobEnded() {
    try (KilnContext context = Contexts.open("local[2]")) {
      RDD<Long> good = context.range(0, 4, 1, 2);
      RDD<Long> bad = good.map(x -> 1 / (x / 1_000));
      for (int round = 0; round < 100; round++) {
        context.setJobGroup("round " + round, "");
        long _ = good.count();
        assertThatThrownBy(bad::count).isInstanceOf(KilnException.class);
        assertThat(context.statusTracker().activeJobIds()).isEmpty();
        assertThat(context.statusTracker().jobIdsForGroup("round " + round))
            .extracting(id -> context.statusTracker().job(id).map(JobStatus::state).orElseThrow())
            .containsExactly(JobStatus.State.SUCCEEDED, JobStatus.State.FAILED);
      }
    }
  }
}
