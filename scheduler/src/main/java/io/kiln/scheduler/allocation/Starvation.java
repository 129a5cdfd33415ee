package io.kiln.scheduler.allocation;

import io.kiln.base.machine.Turn;
import io.kiln.scheduler.SchedulerAddresses;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.allocation.AllocationMessage.ResourcesDue;
import io.kiln.scheduler.allocation.AllocationMessage.WarningDue;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import java.time.Duration;
import java.util.Optional;

/// Says that tasks wait while none runs: after 15 seconds, then every minute. Ends their jobs after
/// a limit, if there is one.
final class Starvation {
  private static final Duration FIRST_WARNING = Duration.ofSeconds(15);
  private static final Duration NEXT_WARNING = Duration.ofSeconds(60);

  private final SchedulerAddresses addresses;
  private final Optional<Duration> limit;
  private int tasks;
  private long sinceNanos;

  Starvation(SchedulerAddresses addresses, Optional<Duration> limit) {
    this.addresses = addresses;
    this.limit = limit;
  }

  /// @param nowTasks how many wait; 0 if one runs
  void changed(int nowTasks, Turn turn) {
    boolean begins = tasks == 0 && nowTasks > 0;
    tasks = nowTasks;
    if (begins) {
      sinceNanos = turn.nowNanos();
      turn.startTimer(WarningDue.class, FIRST_WARNING, new WarningDue());
      limit.ifPresent(
          duration -> turn.startTimer(ResourcesDue.class, duration, new ResourcesDue()));
    } else if (tasks == 0) {
      turn.cancelTimer(WarningDue.class);
      turn.cancelTimer(ResourcesDue.class);
    }
  }

  /// @param situation of the executors, with numbers
  void warn(String situation, Turn turn) {
    addresses.tellWatchers(new StatusEvent.Warning(describe(situation, turn)), turn);
    turn.startTimer(WarningDue.class, NEXT_WARNING, new WarningDue());
  }

  void fail(String situation, Turn turn) {
    String why = describe(situation, turn) + " (spark.kiln.scheduler.noResourcesTimeout is over)";
    turn.send(addresses.dag(), new FailAllJobs(why, false));
  }

  private String describe(String situation, Turn turn) {
    long seconds = Duration.ofNanos(turn.nowNanos() - sinceNanos).toSeconds();
    return (tasks == 1 ? "1 task has" : tasks + " tasks have")
        + " waited for "
        + seconds
        + " s, and none runs: "
        + situation;
  }
}
