package io.kiln.driver.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.JobStatus;
import io.kiln.api.StageStatus;
import io.kiln.scheduler.StatusEvent.JobEnded;
import io.kiln.scheduler.StatusEvent.JobStarted;
import io.kiln.scheduler.StatusEvent.StageEnded;
import io.kiln.scheduler.StatusEvent.StageProgress;
import io.kiln.scheduler.StatusEvent.StageStarted;
import io.kiln.scheduler.dag.JobOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusStoreTest {
  private static final JobOptions NO_GROUP = new JobOptions(Map.of());

  private final StatusStore store = new StatusStore(2, 3);

  private static StageStarted stage(int stageId, int attempt) {
    return new StageStarted(stageId, attempt, "count at A.java:1", 10);
  }

  @Test
  void followsAJob() {
    store.accept(new JobStarted(7, List.of(stage(1, 0), stage(2, 0)), NO_GROUP), 100);
    assertThat(store.activeJobIds()).containsExactly(7);
    assertThat(store.activeStageIds()).isEmpty();
    assertThat(store.stage(1).orElseThrow().submissionTimeMillis()).isZero();

    store.accept(stage(1, 0), 110);
    store.accept(new StageProgress(1, 0, 3, 4, 1), 120);
    assertThat(store.activeStageIds()).containsExactly(1);
    assertThat(store.stage(1))
        .contains(new StageStatus(1, 0, "count at A.java:1", 110, 10, 3, 4, 1));

    store.accept(new StageEnded(1, 0, Optional.empty()), 130);
    assertThat(store.activeStageIds()).isEmpty();
    assertThat(store.stage(1))
        .contains(new StageStatus(1, 0, "count at A.java:1", 110, 10, 0, 10, 1));

    store.accept(new JobEnded(7, Optional.of("broken")), 140);
    assertThat(store.activeJobIds()).isEmpty();
    assertThat(store.job(7)).contains(new JobStatus(7, List.of(1, 2), JobStatus.State.FAILED));
  }

  @Test
  void ignoresWhatIsSaidOfAnEarlierAttempt() {
    store.accept(stage(1, 0), 100);
    store.accept(stage(1, 1), 110);
    store.accept(new StageProgress(1, 0, 9, 9, 9), 120);
    store.accept(new StageEnded(1, 0, Optional.of("lost")), 130);

    assertThat(store.stage(1))
        .contains(new StageStatus(1, 1, "count at A.java:1", 110, 10, 0, 0, 0));
    assertThat(store.activeStageIds()).containsExactly(1);
  }

  @Test
  void keepsWhatAReusedStageDid() {
    store.accept(stage(1, 0), 100);
    store.accept(new StageEnded(1, 0, Optional.empty()), 110);
    store.accept(new JobStarted(8, List.of(stage(1, 0)), NO_GROUP), 120);

    assertThat(store.stage(1).orElseThrow().numCompletedTasks()).isEqualTo(10);
  }

  @Test
  void forgetsTheOldestOfWhatHasEnded() {
    for (int id = 1; id <= 5; id++) {
      store.accept(new JobStarted(id, List.of(stage(id, 0)), NO_GROUP), id);
      store.accept(stage(id, 0), id);
      if (id != 1) {
        store.accept(new StageEnded(id, 0, Optional.empty()), id);
        store.accept(new JobEnded(id, Optional.empty()), id);
      }
    }

    assertThat(store.job(1)).as("still active").isPresent();
    assertThat(store.stage(1)).isPresent();
    assertThat(store.job(2)).isEmpty();
    assertThat(store.job(3)).isEmpty();
    assertThat(store.job(4).orElseThrow().state()).isEqualTo(JobStatus.State.SUCCEEDED);
    assertThat(store.stage(2)).isEmpty();
    assertThat(store.stage(3)).isPresent();
  }

  @Test
  void findsTheJobsOfAGroup() {
    JobOptions group = new JobOptions(Map.of(JobOptions.GROUP, "g"));
    store.accept(new JobStarted(1, List.of(), group), 0);
    store.accept(new JobEnded(1, Optional.empty()), 0);
    store.accept(new JobStarted(2, List.of(), group), 0);
    store.accept(new JobStarted(3, List.of(), NO_GROUP), 0);

    assertThat(store.jobIdsOfGroup("g")).containsExactly(1, 2);
    assertThat(store.jobIdsOfGroup(null)).containsExactly(3);
    assertThat(store.jobIdsOfGroup("other")).isEmpty();
  }
}
