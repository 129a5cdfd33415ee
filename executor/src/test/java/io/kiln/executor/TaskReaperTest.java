package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.machine.Payload;
import io.kiln.protocol.ExecutorExitCode;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskReaperTest {
  private record End(int exitCode, Throwable why) {}

  private record Nothing() implements Payload {}

  private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
  private final AtomicBoolean runs = new AtomicBoolean(true);

  private TaskReaper reaper(boolean enabled, Optional<Duration> killTimeout) {
    return new TaskReaper(
        new ReaperOptions(enabled, Duration.ofMillis(20), true, killTimeout),
        (exitCode, why) -> ends.add(new End(exitCode, why)),
        warnings::add);
  }

  private static RunningTask task() {
    TaskBatch batch =
        new TaskBatch(3, 1, new Nothing(), Map.of(), new long[] {17}, new int[] {5}, new int[] {0});
    RunningTask task =
        new RunningTask(
            () -> {
              throw new AssertionError("it needs no storage");
            },
            Path.of("."),
            batch,
            0,
            new TaskTimer(JvmTimes.UNMEASURED, 0));
    task.kill("the job was cancelled", false, Thread.currentThread());
    return task;
  }

  @Test
  void warnsAgainAndAgainOfATaskThatDoesNotStop() throws InterruptedException {
    try (TaskReaper reaper = reaper(true, Optional.empty())) {
      RunningTask task = task();
      reaper.watch(task, runs::get, () -> "\tat Users.code");
      reaper.watch(task, runs::get, () -> "\tat Users.code"); // killed once more
      for (int i = 0; i < 3; i++) {
        assertThat(warnings.take())
            .matches(
                "(?s)task 17 \\(partition 5 of stage 3.1\\) was killed \\d+ ms ago"
                    + " \\(the job was cancelled\\) and still runs:\n\tat Users.code");
      }
      runs.set(false);
      reaper.watch(task(), () -> true, () -> "\tat another");
      String next = warnings.take();
      while (!next.contains("another")) {
        next = warnings.take(); // what was said of the first before it stopped
      }
      assertThat(warnings.take()).contains("another");
    }
    assertThat(ends).isEmpty();
  }

  @Test
  void endsTheProcessAfterTheTimeout() throws InterruptedException {
    try (TaskReaper reaper = reaper(true, Optional.of(Duration.ofMillis(50)))) {
      reaper.watch(task(), runs::get, () -> "");
      End end = ends.take();
      assertThat(end.exitCode()).isEqualTo(ExecutorExitCode.TASK_WOULD_NOT_STOP).isEqualTo(57);
      assertThat(end.why()).hasMessageContaining("task 17").hasMessageContaining("cancelled");
      assertThat(warnings).isNotEmpty();
    }
  }

  @Test
  void watchesNothingWhereItIsOff() {
    try (TaskReaper reaper = reaper(false, Optional.of(Duration.ZERO))) {
      reaper.watch(
          task(),
          () -> {
            throw new AssertionError("nobody should ask");
          },
          () -> "");
    }
    assertThat(ends).isEmpty();
  }

  @Test
  void inAProcessThatIsNotItsOwnNothingEnds() {
    ReaperOptions options =
        new ReaperOptions(true, Duration.ofSeconds(1), false, Optional.of(Duration.ZERO));
    assertThat(options.withoutEnd().killTimeout()).isEmpty();
  }
}
