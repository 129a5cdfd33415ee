package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.protocol.ExecutorMessage.TaskBatch;
import io.kiln.protocol.TaskResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
  private final TaskQueue queue = new TaskQueue();

  @Test
  void killsTasksInEveryBatchThatWaits() {
    QueuedBatch first = batch(1, 2);
    QueuedBatch second = batch(3, 4);
    queue.add(List.of(first, second));

    queue.kill(2, "not needed");
    queue.kill(3, "not needed");

    assertThat(first.killReason(1)).isNull();
    assertThat(first.killReason(2)).isEqualTo("not needed");
    assertThat(second.killReason(3)).isEqualTo("not needed");
    assertThat(second.killReason(4)).isNull();
  }

  @Test
  void givesBackWhatCameLast() {
    QueuedBatch first = batch(1, 2, 3);
    queue.add(List.of(first, batch(4, 5)));

    assertThat(queue.takeBack(3)).containsExactly(4L, 5L, 3L);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.takeBack(9)).containsExactly(1L, 2L);
    assertThat(queue.size()).isZero();
    assertThat(first.claim()).isEqualTo(-1);
  }

  @Test
  void countsWhatWaitsUntilItIsClosed() {
    queue.add(List.of(batch(1, 2), batch(3)));
    assertThat(queue.size()).isEqualTo(3);

    queue.close();
    assertThat(queue.size()).isZero();
  }

  private static QueuedBatch batch(long... taskIds) {
    return new QueuedBatch(
        new TaskBatch(
            1,
            0,
            TaskResult.Local.NOTHING,
            Map.of(),
            taskIds,
            new int[taskIds.length],
            new int[taskIds.length]));
  }
}
