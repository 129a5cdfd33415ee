package io.kiln.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.JobFuture;
import io.kiln.api.KilnContext;
import io.kiln.api.KilnException;
import io.kiln.api.Pair;
import io.kiln.api.RDD;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whose tasks run, and which of them are stopped, as a program sees it.
@Timeout(240)
class SchedulingTest {
  private static final AtomicInteger PASSED = new AtomicInteger();
  private static final ConcurrentLinkedQueue<String> STARTED = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void reset() {
    PASSED.set(0);
    STARTED.clear();
  }

  // ---- pools ----------------------------------------------------------------------------------

  private static JobFuture<Long> submit(KilnContext context, String pool, Gate gate) {
    context.setLocalProperty("spark.scheduler.pool", pool);
    try {
      return context
          .range(0, 8, 1, 8)
          .map(
              x -> {
                STARTED.add(pool);
                return gate.hold(x);
              })
          .countAsync();
    } finally {
      context.setLocalProperty("spark.scheduler.pool", null);
    }
  }

  /// The pools of the first four tasks that get one of four slots, where `first` asked before
  /// `second`.
  private static List<String> firstFour(KilnContext context, String first, String second)
      throws Exception {
    Gate occupied = new Gate();
    Gate gate = new Gate();
    JobFuture<Long> occupying = context.range(0, 4, 1, 4).map(x -> occupied.hold(x)).countAsync();
    occupied.awaitHeld(4);
    JobFuture<Long> one = submit(context, first, gate);
    JobFuture<Long> other = submit(context, second, gate);
    occupied.open();
    gate.awaitHeld(4);
    List<String> started = List.copyOf(STARTED);
    gate.open();
    assertThat(List.of(occupying.get(), one.get(), other.get())).containsExactly(4L, 8L, 8L);
    return started;
  }

  @Test
  void fairPoolsShareTheSlotsByWeight(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("fairscheduler.xml"),
            """
            <allocations>
              <pool name="light"><schedulingMode>FIFO</schedulingMode><weight>1</weight></pool>
              <pool name="heavy"><weight>3</weight></pool>
            </allocations>
            """);
    try (KilnContext context =
        KilnContext.create(
            Contexts.conf("local[4]")
                .set("spark.scheduler.mode", "FAIR")
                .set("spark.scheduler.allocation.file", file.toString()))) {
      assertThat(firstFour(context, "light", "heavy"))
          .containsExactlyInAnyOrder("heavy", "heavy", "heavy", "light");
    }
  }

  @Test
  void withoutFairnessTheFirstJobGoesFirst() throws Exception {
    try (KilnContext context = Contexts.open("local[4]")) {
      assertThat(firstFour(context, "light", "heavy")).containsOnly("light");
    }
  }

  // ---- cancelling -------------------------------------------------------------------------------

  private static void assertCancelled(JobFuture<?> job, String reason) {
    assertThatThrownBy(job::await)
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("JOB_CANCELLED");
              assertThat(e.getMessage()).contains(reason).hasLineCount(1);
            });
  }

  @Test
  void cancellingAStageEndsItsJob() throws Exception {
    try (KilnContext context = Contexts.open("local[2]")) {
      Gate gate = new Gate();
      JobFuture<Long> job = context.range(0, 2, 1, 2).map(x -> gate.hold(x)).countAsync();
      gate.awaitHeld(2);
      int stage = context.statusTracker().activeStageIds().getFirst();
      context.cancelStage(stage + 1, "another one");
      context.cancelStage(stage, "no use");
      assertCancelled(job, "no use");
      gate.open();
      assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
    }
  }

  @Test
  void jobsAreCancelledByAnyOfTheirTags() throws Exception {
    try (KilnContext context = Contexts.open("local[2]")) {
      Gate gate = new Gate();
      context.addJobTag("red");
      context.addJobTag("round");
      JobFuture<Long> tagged = context.range(0, 1, 1, 1).map(x -> gate.hold(x)).countAsync();
      context.removeJobTag("round");
      JobFuture<Long> other = context.range(0, 1, 1, 1).map(x -> gate.hold(x)).countAsync();
      context.clearJobTags();
      gate.awaitHeld(2);
      context.cancelJobsWithTag("round", "corners wanted");
      assertCancelled(tagged, "corners wanted");
      gate.open();
      assertThat(other.get()).isEqualTo(1);
    }
  }

  @Test
  void aCancelledFutureCancelsItsJobs() throws Exception {
    try (KilnContext context = Contexts.open("local[1]")) {
      Gate gate = new Gate();
      JobFuture<List<Long>> taking =
          context.range(0, 8, 1, 8).filter(x -> gate.hold(x) > 5).takeAsync(1);
      gate.awaitHeld(1);
      assertThat(taking.cancel(true)).isTrue();
      gate.open();
      assertThat(taking.isCancelled()).isTrue();
      assertCancelled(taking, "cancelled");
      assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
    }
  }

  // ---- a cancelled task stops at its source ---------------------------------------------------

  private static final int MANY = 1_000_000;

  private static void assertStopsEarly(String source, Function<KilnContext, RDD<?>> input)
      throws Exception {
    PASSED.set(0);
    try (KilnContext context = Contexts.open("local[1]")) {
      Gate gate = new Gate();
      RDD<?> records = input.apply(context);
      JobFuture<Long> job =
          records
              .filter(
                  _ -> {
                    if (PASSED.getAndIncrement() == 0) {
                      gate.hold(0);
                    }
                    return false;
                  })
              .countAsync();
      gate.awaitHeld(1);
      job.cancel(false);
      assertCancelled(job, "cancelled");
      // the kill stands in the mailbox before the next job, and that one needs the slot
      JobFuture<Long> next = context.range(0, 10, 1, 1).countAsync();
      awaitKilled(context);
      gate.open();
      assertThat(next.get()).isEqualTo(10);
      assertThat(PASSED.get()).as("records of " + source).isLessThan(MANY);
    }
  }

  /// The scheduler has handled the cancellation once it has said that no job but the next is
  /// active.
  private static void awaitKilled(KilnContext context) {
    while (context.statusTracker().activeJobIds().size() != 1) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aCancelledTaskStopsAtItsSource() throws Exception {
    List<Integer> numbers = IntStream.range(0, MANY).boxed().toList();
    assertStopsEarly("range", context -> context.range(0, Long.MAX_VALUE, 1, 1));
    assertStopsEarly("parallelize", context -> context.parallelize(numbers, 1));
    assertStopsEarly(
        "a shuffle",
        context -> context.parallelize(numbers, 1).map(x -> Pair.of(x, x)).repartition(1));
    assertStopsEarly(
        "a sorted shuffle", context -> context.parallelize(numbers, 1).sortBy(x -> x, true, 1));
    assertStopsEarly(
        "kept records",
        context -> {
          RDD<Integer> kept = context.parallelize(numbers, 1).map(x -> x).persist();
          long _ = kept.count();
          return kept;
        });
  }
}
