package io.kiln.simulation.scheduler;

import static io.kiln.simulation.scheduler.SimulatedDriver.demand;

import io.kiln.base.machine.Address;
import io.kiln.base.machine.Machine;
import io.kiln.base.machine.Message;
import io.kiln.protocol.ExecutorMessage.LaunchTasks;
import io.kiln.scheduler.StatusEvent;
import io.kiln.scheduler.dag.DagMessage.FailAllJobs;
import io.kiln.scheduler.task.TaskMessage;
import io.kiln.scheduler.task.TaskMessage.ExecutorGone;
import io.kiln.scheduler.task.TaskMessage.ExecutorRegistered;
import io.kiln.scheduler.task.TaskMessage.ExecutorUnreachable;
import io.kiln.simulation.Observed;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/// Holds the allocation machine and the task machine to their words: an executor comes once and
/// goes once; none gets a task once it is believed dead; and nobody waits in silence.
final class AllocationChecks {
  private static final Duration FIRST_WARNING = Duration.ofSeconds(15);
  private static final Duration NEXT_WARNING = Duration.ofSeconds(60);
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private final Duration longestSilence;
  private final Set<String> registered = new TreeSet<>();
  private final Set<String> gone = new TreeSet<>();
  private final Set<String> believedDead = new TreeSet<>();
  private boolean hasGivenUp;
  private boolean isIdle;
  private boolean isWarned;
  private long sinceNanos;

  /// @param longestSilence after which a dead executor is known to be so; twice the timeout, for
  /// one
  ///     that was cut off, came back and then found its link gone
  AllocationChecks(Duration longestSilence) {
    this.longestSilence = longestSilence;
  }

  boolean hasGivenUp() {
    return hasGivenUp;
  }

  /// Looks at what the allocation machine says.
  void allocatorSent(Address to, Message message, long nowNanos) {
    switch (message) {
      case ExecutorRegistered(String id, long _, Address _, String _, int _) ->
          demand(registered.add(id), "executor " + id + " was told of twice");
      case ExecutorUnreachable(String id, long _, String _) ->
          demand(registered.contains(id) && !gone.contains(id), "nobody knows " + message);
      case ExecutorGone(String id, long _, String _, boolean _) ->
          demand(registered.contains(id) && gone.add(id), "it can't be gone: " + message);
      case FailAllJobs(String _, boolean forGood) -> {
        demand(!hasGivenUp, "it has given up already: " + message);
        hasGivenUp |= forGood;
      }
      case StatusEvent.Warning(String text) -> {
        if (text.contains("none runs")) {
          isWarned = true;
          sinceNanos = nowNanos;
        }
      }
      default -> {}
    }
  }

  /// Looks at what the task machine says to executors.
  Machine<TaskMessage> watch(Machine<TaskMessage> tasks) {
    Machine<TaskMessage> observed = new Observed<>(tasks, this::tasksSent);
    return (message, turn) -> {
      switch (message) {
        case ExecutorUnreachable lost -> believedDead.add("executor-" + lost.executorId());
        case ExecutorGone lost -> believedDead.add("executor-" + lost.executorId());
        default -> {}
      }
      observed.handle(message, turn);
    };
  }

  private void tasksSent(Address to, Message message) {
    if (message instanceof LaunchTasks) {
      demand(!believedDead.contains(to.process()), to + " is believed dead, but gets " + message);
    }
  }

  /// @param idle whether there are jobs, and no executor has a task of any
  void demandWarnings(boolean idle, long nowNanos) {
    if (!idle || !isIdle) {
      isIdle = idle;
      isWarned = false;
      sinceNanos = nowNanos;
      return;
    }
    Duration silence = Duration.ofNanos(nowNanos - sinceNanos);
    Duration most = isWarned ? NEXT_WARNING : FIRST_WARNING.plus(longestSilence);
    demand(
        hasGivenUp || silence.compareTo(most.plus(TOLERANCE)) < 0,
        "jobs wait, nothing runs, and nobody has said a word for " + silence);
  }
}
