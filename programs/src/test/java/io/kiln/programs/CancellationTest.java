package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.RDD;
import io.kiln.api.spi.SubmittedJob;
import io.kiln.scheduler.dag.JobOptions;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CancellationTest {
  private final KilnContext context = Contexts.open("local[2]");
  private final Gate started = new Gate();
  private final Gate ended = new Gate();

  @AfterEach
  void close() {
    context.close();
  }

  private static int[] partitions(RDD<?> rdd) {
    int[] all = new int[rdd.numPartitions()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return all;
  }

  /// Four tasks on two slots that go on until they are told to stop.
  private SubmittedJob submitEndless() {
    RDD<Long> rdd = context.range(0, 4, 1, 4);
    Gate starts = started;
    Gate ends = ended;
    return context
        .engine()
        .submitJob(
            rdd,
            (task, _) -> {
              starts.pass();
              try {
                while (true) {
                  task.throwIfInterrupted();
                  Thread.onSpinWait();
                }
              } finally {
                ends.pass();
              }
            },
            partitions(rdd),
            (_, _) -> {});
  }

  private void assertCancelled(SubmittedJob job, String reason) throws InterruptedException {
    assertThatThrownBy(job::await)
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("JOB_CANCELLED");
              assertThat(e.getMessage()).contains(reason).hasLineCount(1);
            });
    ended.awaitHeld(2);
    assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
    assertThat(started.waitingToBeSeen()).as("tasks that started afterwards").isZero();
  }

  @Test
  void cancellingAJobStopsItsTasks() throws Exception {
    SubmittedJob job = submitEndless();
    started.awaitHeld(2);
    job.cancel("enough of it");
    assertCancelled(job, "enough of it");
  }

  @Test
  void byGroup() throws Exception {
    context.setLocalProperty(JobOptions.GROUP, "night");
    SubmittedJob job = submitEndless();
    context.setLocalProperty(JobOptions.GROUP, null);
    started.awaitHeld(2);
    context.engine().cancelJobGroup("day", "wrong group", false);
    context.engine().cancelJobGroup("night", "it is day", false);
    assertCancelled(job, "it is day");
  }

  @Test
  void byTag() throws Exception {
    context.setLocalProperty(JobOptions.TAGS, "slow");
    SubmittedJob job = submitEndless();
    context.setLocalProperty(JobOptions.TAGS, null);
    started.awaitHeld(2);
    context.engine().cancelJobsWithTag("slow", "too slow");
    assertCancelled(job, "too slow");
  }

  @Test
  void all() throws Exception {
    SubmittedJob job = submitEndless();
    started.awaitHeld(2);
    context.engine().cancelAllJobs("closing time");
    assertCancelled(job, "closing time");
  }

  @Test
  void interruptsBlockedTasksIfAskedTo() throws Exception {
    Gate gate = new Gate();
    context.setLocalProperty(JobOptions.INTERRUPT_ON_CANCEL, "true");
    RDD<Long> rdd = context.range(0, 2, 1, 2);
    SubmittedJob job =
        context.engine().submitJob(rdd, (_, _) -> gate.hold(1), partitions(rdd), (_, _) -> {});
    context.setLocalProperty(JobOptions.INTERRUPT_ON_CANCEL, null);
    gate.awaitHeld(2);
    job.cancel("no more");
    assertThatThrownBy(job::await).hasMessageContaining("no more");
    // both slots are free again although the gate was never opened
    assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
  }

  @Test
  void interruptingTheCallerCancelsItsJob() throws Exception {
    try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
      Future<?> waiting =
          caller.submit(
              () -> {
                submitEndless().await();
                return null;
              });
      started.awaitHeld(2);
      waiting.cancel(true);
      ended.awaitHeld(2);
      caller.shutdown();
      assertThat(caller.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
  }
}
