package io.kiln.scheduler.dag;

import io.kiln.base.machine.Turn;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.StatusEvent.StageStarted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the dag machine tells those who watch.
final class DagReports {
  private final SchedulerAddresses addresses;

  DagReports(SchedulerAddresses addresses) {
    this.addresses = addresses;
  }

  void started(JobState job, Turn turn) {
    if (!addresses.watched()) {
      return;
    }
    List<StageStarted> planned = new ArrayList<>();
    for (StageState stage : job.stages()) {
      planned.add(
          new StageStarted(
              stage.id(),
              stage.latestAttempt() + 1,
              stage.stage().name(),
              stage.stage().numPartitions()));
    }
    addresses.tellWatchers(new StatusEvent.JobStarted(job.id(), planned, job.options()), turn);
  }

  void ended(JobState job, Optional<String> error, Turn turn) {
    addresses.tellWatchers(new StatusEvent.JobEnded(job.id(), error), turn);
  }

  void started(StageState stage, int attempt, int numTasks, Turn turn) {
    if (addresses.watched()) {
      addresses.tellWatchers(
          new StageStarted(stage.id(), attempt, stage.stage().name(), numTasks), turn);
    }
  }

  void ended(StageState stage, int attempt, Optional<String> error, Turn turn) {
    addresses.tellWatchers(new StatusEvent.StageEnded(stage.id(), attempt, error), turn);
  }
}
