package io.kiln.driver.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.api.listener.KilnEvent;
import io.kiln.api.listener.TaskMetrics;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.dag.JobOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ApplicationStatusTest {
  private static final TaskMetrics USED =
      TaskMetrics.NONE.withTimes(TaskMetrics.Times.ofRun(7_000_000));

  @Test
  void makesListenersEventsOfTheSchedulers() {
    List<KilnEvent> heard = new CopyOnWriteArrayList<>();
    StatusEvent.StageStarted stage = new StatusEvent.StageStarted(2, 0, "count at A.java:1", 10);
    StatusEvent.TaskSeen started = seen(Optional.empty(), TaskMetrics.NONE);
    StatusEvent.TaskSeen succeeded = seen(Optional.empty(), USED.withResultSizeBytes(42));
    StatusEvent.TaskSeen failed = seen(Optional.of("broken"), USED);
    ApplicationStatus status =
        new ApplicationStatus(
            Settings.of(new KilnConf(false).set("spark.ui.showConsoleProgress", "false")));
    try (status) {
      status.addListener(heard::add);
      status.accept(
          new StatusEvent.JobStarted(1, List.of(stage), new JobOptions(Map.of("a", "b"))));
      status.accept(stage);
      status.accept(new StatusEvent.TasksStarted(List.of(started)));
      status.accept(new StatusEvent.StageProgress(2, 0, 1, 0, 0));
      status.accept(new StatusEvent.TasksEnded(List.of(succeeded, failed)));
      status.accept(new StatusEvent.StageEnded(2, 0, Optional.of("broken")));
      status.accept(new StatusEvent.JobEnded(1, Optional.empty()));
      assertThat(status.view().job(1)).isPresent();
    }

    KilnEvent.StageInfo info = new KilnEvent.StageInfo(2, 0, "count at A.java:1", 10);
    KilnEvent.TaskInfo task = new KilnEvent.TaskInfo(5, 2, 0, 3, 1, "driver");
    assertThat(heard).hasSize(7);
    assertThat(heard.get(0))
        .isInstanceOfSatisfying(
            KilnEvent.JobStarted.class,
            event -> {
              assertThat(event.stages()).containsExactly(info);
              assertThat(event.properties()).isEqualTo(Map.of("a", "b"));
              assertThat(event.timeMillis()).isPositive();
            });
    assertThat(((KilnEvent.StageSubmitted) heard.get(1)).stage()).isEqualTo(info);
    assertThat(((KilnEvent.TaskStarted) heard.get(2)).task()).isEqualTo(task);
    assertThat(((KilnEvent.TaskEnded) heard.get(3)).metrics().resultSizeBytes()).isEqualTo(42);
    assertThat(((KilnEvent.TaskEnded) heard.get(4)).error()).contains("broken");
    assertThat(((KilnEvent.TaskEnded) heard.get(4)).metrics()).isEqualTo(USED);
    assertThat(((KilnEvent.StageCompleted) heard.get(5)).stage()).isEqualTo(info);
    assertThat(((KilnEvent.StageCompleted) heard.get(5)).error()).contains("broken");
    assertThat(((KilnEvent.JobEnded) heard.get(6)).error()).isEmpty();
  }

  private static StatusEvent.TaskSeen seen(Optional<String> error, TaskMetrics metrics) {
    return new StatusEvent.TaskSeen(5, 2, 0, 3, 1, "driver", error, metrics);
  }
}
