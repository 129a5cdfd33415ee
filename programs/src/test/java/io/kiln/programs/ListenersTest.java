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
import io.kiln.api.listener.TaskMetrics;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
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
    List<TaskMetrics> metrics = metrics();
    assertThat(metrics.get(0).shuffleWrite().records()).isEqualTo(10);
    assertThat(metrics.get(0).shuffleWrite().bytes()).isPositive();
    assertThat(metrics.get(0).shuffleWrite().nanos()).isPositive();
    TaskMetrics.ShuffleRead read = metrics.get(2).shuffleRead();
    assertThat(read.records()).isEqualTo(20);
    assertThat(read.local().count()).isEqualTo(2);
    assertThat(read.local().bytes())
        .isEqualTo(metrics.get(0).shuffleWrite().bytes() + metrics.get(1).shuffleWrite().bytes());
    assertThat(read.remote()).isEqualTo(TaskMetrics.Blocks.NONE);
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

  private static List<TaskMetrics> metrics() {
    return HEARD.stream()
        .filter(KilnEvent.TaskEnded.class::isInstance)
        .map(event -> ((KilnEvent.TaskEnded) event).metrics())
        .toList();
  }

  /// Takes processor time, and 20 ms at least of any.
  private static void work() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 20_000_000) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whereATasksTimeWentIsTold() {
    try (KilnContext context = Contexts.open("local[1]")) {
      context.addListener(new Recorder());
      context.runJob(
          context.range(0, 1, 1, 1),
          (_, _) -> {
            work();
            System.gc();
            return new SlowToCopy();
          });
    }
    TaskMetrics metrics = metrics().getFirst();
    TaskMetrics.Times times = metrics.times();
    assertThat(times.runMillis()).isBetween(20L, 20_000L);
    assertThat(times.cpuNanos()).isBetween(1_000_000L, times.runNanos());
    assertThat(times.gcMillis()).isPositive();
    assertThat(times.resultSerializeNanos()).isBetween(20_000_000L, times.runNanos() * 100);
    assertThat(metrics.resultSizeBytes()).isPositive();
  }

  /// Takes 20 ms to be written.
  private static final class SlowToCopy implements Serializable {
    private static final long serialVersionUID = 1L;

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      work();
      out.defaultWriteObject();
    }
  }

  /// Takes 20 ms to be restored.
  private static final class SlowToRestore implements Serializable {
    private static final long serialVersionUID = 1L;
    private int changed;

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      work();
    }
  }

  @Test
  void restoringWhatAFunctionHasIsNoRunTime() {
    SlowToRestore captured = new SlowToRestore();
    try (KilnContext context = Contexts.open("local[1]")) {
      context.addListener(new Recorder());
      long _ =
          context
              .range(0, 1, 1, 1)
              .map(
                  i -> {
                    captured.changed++;
                    return i;
                  })
              .count();
    }
    TaskMetrics.Times times = metrics().getFirst().times();
    assertThat(times.deserializeNanos()).isGreaterThan(20_000_000);
    assertThat(times.deserializeCpuNanos()).isBetween(1_000_000L, times.deserializeNanos());
    assertThat(times.runNanos()).isLessThan(times.deserializeNanos());
  }

  @Test
  void whatAFailedTaskUsedIsToldAndWaitingForATaskIsNoTimeOfIts() {
    long idleNanos;
    try (KilnContext context = Contexts.open("local[1]")) {
      context.addListener(new Recorder());
      long _ = context.range(0, 1, 1, 1).count(); // the slot is there
      long begin = System.nanoTime();
      for (int i = 0; i < 30; i++) {
        work(); // while the slot has nothing to do
      }
      idleNanos = System.nanoTime() - begin;
      assertThatThrownBy(
              () ->
                  context.runJob(
                      context.range(0, 1, 1, 1),
                      (_, _) -> {
                        work();
                        throw new IOException("broken");
                      }))
          .isInstanceOf(KilnException.class);
    }
    TaskMetrics.Times times = metrics().getLast().times();
    assertThat(times.runMillis()).isGreaterThanOrEqualTo(20);
    assertThat(times.totalNanos()).isLessThan(idleNanos);
    assertThat(times.cpuNanos()).isPositive();
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
