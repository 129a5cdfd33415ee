package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kiln.api.KilnException;
import io.kiln.api.accumulator.LongAccumulator;
import io.kiln.base.machine.Payload;
import io.kiln.protocol.ExecutorMessage.TaskBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunningTaskTest {
  private record Nothing() implements Payload {}

  /// Counts interrupts, and lets each wait until it may go on.
  private static final class SlotThread extends Thread {
    private final AtomicInteger interrupts = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGoOn;

    SlotThread(CountDownLatch mayGoOn) {
      this.mayGoOn = mayGoOn;
    }

    @Override
    public void interrupt() {
      begun.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      interrupts.incrementAndGet();
    }
  }

  private final SlotThread thread = new SlotThread(new CountDownLatch(0));
  private final RunningTask task =
      new RunningTask(
          () -> {
            throw new AssertionError("it needs no storage");
          },
          Path.of("files"),
          new TaskBatch(
              3,
              1,
              new Nothing(),
              Map.of("pool", "fast"),
              new long[] {16, 17},
              new int[] {4, 5},
              new int[] {0, 2}),
          1,
          new TaskTimer(JvmTimes.UNMEASURED, 0));

  @Test
  void isOneOfItsBatch() {
    assertThat(task.taskAttemptId()).isEqualTo(17);
    assertThat(task.partitionId()).isEqualTo(5);
    assertThat(task.attemptNumber()).isEqualTo(2);
    assertThat(task.stageId()).isEqualTo(3);
    assertThat(task.stageAttemptNumber()).isEqualTo(1);
    assertThat(task.localProperty("pool")).contains("fast");
    assertThat(task.localProperty("none")).isEmpty();
  }

  @Test
  void aKillIsSeenByTheTaskAndInterruptsOnlyIfAsked() {
    task.throwIfInterrupted();
    task.kill("enough", false, thread);

    assertThat(task.isInterrupted()).isTrue();
    assertThat(thread.interrupts).hasValue(0);
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(task::throwIfInterrupted)
        .withMessageContaining("the task was killed: enough");

    task.kill("enough", true, thread);
    task.kill("once more", true, thread);

    assertThat(thread.interrupts).hasValue(1);
  }

  /// The slot's thread has another task then.
  @Test
  void noInterruptComesAfterTheEnd() {
    task.end();
    task.kill("too late", true, thread);

    assertThat(thread.interrupts).hasValue(0);
  }

  @Test
  void theEndWaitsForAnInterruptThatIsOnItsWay() throws InterruptedException {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    SlotThread slow = new SlotThread(mayGoOn);
    AtomicInteger interruptsAtEnd = new AtomicInteger(-1);
    Thread killer = Thread.ofVirtual().start(() -> task.kill("now", true, slow));
    slow.begun.await();
    Thread runner =
        Thread.ofPlatform()
            .start(
                () -> {
                  task.end();
                  interruptsAtEnd.set(slow.interrupts.get());
                });
    boolean endedBefore = runner.join(Duration.ofMillis(100)); // it would end well within that
    mayGoOn.countDown();
    killer.join();
    runner.join();

    assertThat(endedBefore).isFalse();
    assertThat(interruptsAtEnd).hasValue(1);
  }

  @Test
  void onlyAccumulatorsThatSomethingWasAddedToAreReported() {
    LongAccumulator added = new LongAccumulator();
    LongAccumulator untouched = new LongAccumulator();
    task.accumulatorArrived(untouched);
    task.accumulatorArrived(added);
    added.add(3);

    assertThat(task.accumulatorUpdates()).containsExactly(added);
  }

  @Test
  void withoutStorageThereIsNothingToGiveBackOrToTell() {
    IllegalStateException failure = new IllegalStateException("its own");

    assertThat(task.close(failure)).isSameAs(failure);
    assertThat(task.close(null)).isNull();
    assertThat(task.fetchFailure()).isEmpty();
  }
}
