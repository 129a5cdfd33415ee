package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class UpdateBufferTest {
  private static final int MANY_WAIT = 1_000;

  private final BlockingQueue<List<TaskUpdate>> batches = new LinkedBlockingQueue<>();
  private final UpdateBuffer buffer = new UpdateBuffer(batches::add);

  @AfterEach
  void close() {
    buffer.close();
  }

  private static List<TaskUpdate> updates(long from, long end) {
    List<TaskUpdate> all = new ArrayList<>();
    for (long id = from; id < end; id++) {
      all.add(ended(id));
    }
    return all;
  }

  @Test
  void leavesAtOnceWhenNothingWaits() {
    long now = System.nanoTime();
    buffer.add(ended(1), 0, now);
    buffer.add(ended(2), 0, now);
    assertThat(batches).containsExactly(updates(1, 2), updates(2, 3));
  }

  @Test
  void leavesWhenAsLongAsTheQueue() {
    long inAnHour = System.nanoTime() + TimeUnit.HOURS.toNanos(1); // no time passes until then
    buffer.add(ended(0), 0, inAnHour);
    batches.clear();
    for (int id = 1; id <= 7; id++) {
      buffer.add(ended(id), 9 - id, inAnHour);
    }
    assertThat(batches).containsExactly(updates(1, 6), updates(6, 8));
  }

  @Test
  void anUpdateDoesNotWaitForTheNextTaskToEnd() throws InterruptedException {
    long now = System.nanoTime();
    buffer.add(ended(0), 0, now);
    batches.clear();
    buffer.add(ended(1), MANY_WAIT, now);
    assertThat(batches.poll(10, TimeUnit.SECONDS)).isEqualTo(updates(1, 2));
    // once more after the flusher may have gone to sleep
    long later = System.nanoTime();
    buffer.add(ended(2), 0, later);
    assertThat(batches.poll(10, TimeUnit.SECONDS)).isEqualTo(updates(2, 3));
    buffer.add(ended(3), MANY_WAIT, later);
    assertThat(batches.poll(10, TimeUnit.SECONDS)).isEqualTo(updates(3, 4));
  }

  @Test
  void nothingLeavesAfterTheEnd() {
    buffer.close();
    buffer.add(ended(1), 0, System.nanoTime());
    assertThat(batches).isEmpty();
  }

  private static TaskUpdate ended(long taskId) {
    return new Succeeded(taskId, TaskResult.Local.NOTHING, 1);
  }

  @Test
  void whatCannotBeToldFailsItsTasksAndHoldsUpNoOther() {
    List<TaskUpdate> told = new ArrayList<>();
    UpdateBuffer choosy =
        new UpdateBuffer(
            batch -> {
              if (batch.contains(ended(1))) {
                throw new NoClassDefFoundError("on purpose");
              }
              told.addAll(batch);
            });

    choosy.add(ended(1), 0, System.nanoTime());
    choosy.add(ended(2), 0, System.nanoTime());
    choosy.close();

    assertThat(told).hasSize(2);
    assertThat(told.get(0))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.taskId()).isEqualTo(1);
              assertThat(failed.failure().className()).endsWith("NoClassDefFoundError");
            });
    assertThat(told.get(1)).isEqualTo(ended(2));
  }
}
