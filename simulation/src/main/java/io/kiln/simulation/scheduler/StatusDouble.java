package io.kiln.simulation.scheduler;

import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Turn;
import io.kiln.scheduler.StatusEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Watches, and wants each job, each stage attempt and each executor to come once and to go once.
final class StatusDouble implements Machine<StatusEvent> {
  private final TreeSet<Integer> jobs = new TreeSet<>();
  private final Map<Integer, Integer> attempts = new TreeMap<>();
  private final TreeSet<String> executors = new TreeSet<>();
  private final TreeSet<Integer> runningStages = new TreeSet<>();

  @Override
  public void handle(StatusEvent event, Turn turn) {
    boolean right =
        switch (event) {
          case StatusEvent.JobStarted started -> jobs.add(started.jobId());
          case StatusEvent.JobEnded ended -> jobs.remove(ended.jobId());
          case StatusEvent.StageStarted started ->
              runningStages.add(started.stageId())
                  && attempts.merge(started.stageId(), started.stageAttempt(), Math::max)
                      == started.stageAttempt();
          case StatusEvent.StageEnded ended ->
              runningStages.remove(ended.stageId())
                  && attempts.get(ended.stageId()) == ended.stageAttempt();
          case StatusEvent.StageProgress progress ->
              progress.active() >= 0 && progress.succeeded() >= 0;
          case StatusEvent.TasksStarted _ -> true;
          case StatusEvent.TasksEnded ended -> !ended.tasks().isEmpty();
          case StatusEvent.ExecutorAdded added -> executors.add(added.executorId());
          case StatusEvent.ExecutorRemoved removed -> executors.remove(removed.executorId());
          case StatusEvent.Warning(String text) -> !text.isEmpty();
        };
    if (!right) {
      throw new AssertionError("watchers must not hear " + event);
    }
  }

  boolean hasJobs() {
    return !jobs.isEmpty();
  }

  /// The executors that watchers believe to be there.
  Set<String> executors() {
    return executors;
  }

  void demandRest() {
    if (!jobs.isEmpty() || !runningStages.isEmpty()) {
      throw new AssertionError("no end was told of jobs " + jobs + " or stages " + runningStages);
    }
  }
}
