package io.kiln.driver.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.KilnEvent.ExecutorMetricsUpdate;
import io.kiln.api.listener.KilnEvent.TaskInfo;
import io.kiln.api.listener.KilnEvent.TaskProgress;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.StatusEvent.TaskSeen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListenerFeedTest {
  private final List<KilnEvent> heard = Collections.synchronizedList(new ArrayList<>());
  private final ListenerBus bus = new ListenerBus(100);
  private final ListenerFeed feed = new ListenerFeed(bus, new StatusStore(10, 10));

  @BeforeEach
  void listen() {
    bus.add(heard::add);
  }

  /// An executor's word of a task can be overtaken by the news of its end.
  @Test
  void progressIsToldOfRunningTasksOnly() {
    feed.progress("1", List.of(progress(7)), 1);
    feed.accept(new StatusEvent.TasksStarted(List.of(seen(7), seen(8))), 2);
    feed.progress("1", List.of(progress(7), progress(8), progress(9)), 3);
    feed.accept(new StatusEvent.TasksEnded(List.of(seen(7))), 4);
    feed.progress("1", List.of(progress(7), progress(8)), 5);
    feed.accept(new StatusEvent.TasksEnded(List.of(seen(8))), 6);
    feed.progress("1", List.of(progress(7), progress(8)), 7);
    bus.close();

    assertThat(updates())
        .containsExactly(
            new ExecutorMetricsUpdate("1", List.of(progress(7), progress(8)), 3),
            new ExecutorMetricsUpdate("1", List.of(progress(8)), 5));
  }

  @Test
  void nothingIsToldOfTasksThatBeganBeforeAnybodyListened() {
    feed.accept(new StatusEvent.TasksStarted(List.of(seen(7))), 1);
    feed.forget();
    feed.progress("1", List.of(progress(7)), 2);
    bus.close();

    assertThat(updates()).isEmpty();
  }

  private List<KilnEvent> updates() {
    return heard.stream().filter(ExecutorMetricsUpdate.class::isInstance).toList();
  }

  private static TaskProgress progress(long taskId) {
    return new TaskProgress(
        new TaskInfo(taskId, 0, 0, (int) taskId, 0, "1"), TaskMetrics.NONE, List.of());
  }

  private static TaskSeen seen(long taskId) {
    return new TaskSeen(taskId, 0, 0, (int) taskId, 0, "1", Optional.empty(), TaskMetrics.NONE);
  }
}
