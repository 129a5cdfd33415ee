package io.kiln.driver.status;

import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.dag.JobOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;

/// Logs at level INFO what jobs, stages and executors do, a line each. Used by the thread that
/// brings the scheduler's events; while the level is higher, an event costs a comparison.
final class StatusLog {
  private final Logger log;

  // of what has started since the level was INFO
  private final Map<Integer, Long> jobStartMillis = new HashMap<>();
  private final Map<StageAttempt, Long> stageStartMillis = new HashMap<>();

  private record StageAttempt(int stageId, int attempt) {
    @Override
    public String toString() {
      return "Stage " + stageId + (attempt == 0 ? "" : " (attempt " + (attempt + 1) + ")");
    }
  }

  StatusLog(Logger log) {
    this.log = log;
  }

  void accept(StatusEvent event, long nowMillis) {
    if (!log.isInfoEnabled()) {
      return;
    }
    switch (event) {
      case StatusEvent.JobStarted(int jobId, var stages, var options) -> {
        jobStartMillis.put(jobId, nowMillis);
        log.info(
            "Job {} started: {}, {}",
            jobId,
            options
                .properties()
                .getOrDefault(
                    JobOptions.DESCRIPTION, stages.isEmpty() ? "" : stages.getLast().name()),
            count(stages.size(), "stage"));
      }
      case StatusEvent.JobEnded(int jobId, Optional<String> error) ->
          log.info("Job {} {}", jobId, end(jobStartMillis.remove(jobId), nowMillis, error));
      case StatusEvent.StageStarted(int stageId, int attempt, String name, int numTasks) -> {
        StageAttempt stage = new StageAttempt(stageId, attempt);
        stageStartMillis.put(stage, nowMillis);
        log.info("{} started: {}, {}", stage, name, count(numTasks, "task"));
      }
      case StatusEvent.StageEnded(int stageId, int attempt, Optional<String> error) -> {
        StageAttempt stage = new StageAttempt(stageId, attempt);
        log.info("{} {}", stage, end(stageStartMillis.remove(stage), nowMillis, error));
      }
      case StatusEvent.ExecutorAdded(String id, String host, int slots) ->
          log.info("Executor {} on {} takes tasks: {}", id, host, count(slots, "slot"));
      case StatusEvent.ExecutorRemoved(String id, String why) ->
          log.info("Executor {} takes no more tasks: it {}", id, why);
      case StatusEvent.StageProgress _,
          StatusEvent.TasksStarted _,
          StatusEvent.TasksEnded _,
          StatusEvent.Warning _ -> {}
    }
  }

  /// @param startMillis null if it started before the level was INFO
  private static String end(Long startMillis, long nowMillis, Optional<String> error) {
    String after = startMillis == null ? "" : " after " + (nowMillis - startMillis) / 1e3 + " s";
    return error.map(why -> "failed" + after + ": " + why).orElse("succeeded" + after);
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
