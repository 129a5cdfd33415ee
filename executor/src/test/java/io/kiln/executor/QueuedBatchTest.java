package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.TaskResult;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QueuedBatchTest {
  private final QueuedBatch queued =
      new QueuedBatch(
          new TaskBatch(
              1, 0, TaskResult.Local.NOTHING, Map.of(), new long[] {7, 8}, new int[2], new int[2]));

  @Test
  void eachTaskIsClaimedOnce() {
    assertThat(queued.unclaimed()).isEqualTo(2);
    assertThat(queued.claim()).isZero();
    assertThat(queued.claim()).isEqualTo(1);
    assertThat(queued.claim()).isEqualTo(-1);
    assertThat(queued.claim()).isEqualTo(-1);
    assertThat(queued.unclaimed()).isZero();
  }

  @Test
  void aTaskIsEitherClaimedOrTakenBack() {
    assertThat(queued.claim()).isZero();
    assertThat(queued.takeBack(5)).containsExactly(8);
    assertThat(queued.takeBack(5)).isEmpty();
    assertThat(queued.claim()).isEqualTo(-1);
    assertThat(queued.unclaimed()).isZero();
  }

  @Test
  void claimsAndTakingBackAtTheSameTimeGiveEachTaskOnce() throws InterruptedException {
    int tasks = 100_000;
    QueuedBatch contended =
        new QueuedBatch(
            new TaskBatch(
                1,
                0,
                TaskResult.Local.NOTHING,
                Map.of(),
                LongStream.range(0, tasks).toArray(),
                new int[tasks],
                new int[tasks]));
    AtomicIntegerArray given = new AtomicIntegerArray(tasks);
    Thread claimer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = contended.claim(); i >= 0; i = contended.claim()) {
                    given.incrementAndGet(i);
                  }
                });
    for (long[] ids = contended.takeBack(3); ids.length > 0; ids = contended.takeBack(3)) {
      for (long id : ids) {
        given.incrementAndGet((int) id);
      }
    }
    claimer.join();

    assertThat(IntStream.range(0, tasks).map(given::get)).containsOnly(1);
  }

  @Test
  void remembersKillsOfItsOwnTasksOnly() {
    queued.kill(8, "cancelled");
    queued.kill(9, "of another batch");
    assertThat(queued.killReason(7)).isNull();
    assertThat(queued.killReason(8)).isEqualTo("cancelled");
    assertThat(queued.killReason(9)).isNull();
  }
}
