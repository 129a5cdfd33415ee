package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.scheduler.task.ExecutorMessage.TaskBatch;
import java.util.Map;
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
  void remembersKillsOfItsOwnTasksOnly() {
    queued.kill(8, "cancelled");
    queued.kill(9, "of another batch");
    assertThat(queued.killReason(7)).isNull();
    assertThat(queued.killReason(8)).isEqualTo("cancelled");
    assertThat(queued.killReason(9)).isNull();
  }
}
