package io.kiln.scheduler.allocation;

import io.kiln.scheduler.allocation.ExecutorLife.Registered;
import io.kiln.scheduler.allocation.ExecutorLife.Requested;
import io.kiln.scheduler.allocation.ExecutorLife.Starting;
import io.kiln.scheduler.allocation.ExecutorLife.Unreachable;
import java.util.Collection;
import java.util.OptionalInt;

/// Why tasks wait, for people: what executors there are, and what became of others.
record Situation(Collection<ExecutorLife> executors, ExecutorFailures failures) {

  /// @param target how many there should be; empty where the cluster manager decides
  /// @param managerSays why the application waits; may be empty
  String describe(OptionalInt target, String managerSays) {
    int requested = 0;
    int starting = 0;
    int registered = 0;
    int leaving = 0;
    int slots = 0;
    for (ExecutorLife life : executors) {
      switch (life) {
        case Requested _ -> requested++;
        case Starting _ -> starting++;
        case Registered up when up.leaving() -> leaving++;
        case Registered up -> {
          registered++;
          slots += up.slots();
        }
        case Unreachable _ -> {}
      }
    }
    return (target.isPresent() ? target.getAsInt() + " executors are wanted, " : "")
        + registered
        + " are registered with "
        + slots
        + " slots, "
        + (leaving > 0 ? leaving + " are about to leave, " : "")
        + starting
        + " are starting, "
        + requested
        + " are asked for"
        + describeFailed()
        + (managerSays.isEmpty() ? "" : "; the cluster manager says: " + managerSays);
  }

  private String describeFailed() {
    return failures.total() == 0
        ? ", none has failed"
        : ", " + failures.total() + " have failed, the last: " + failures.last();
  }
}
