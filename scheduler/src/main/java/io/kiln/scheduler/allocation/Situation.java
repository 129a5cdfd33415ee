package io.kiln.scheduler.allocation;

import io.kiln.scheduler.allocation.ExecutorLife.Registered;
import io.kiln.scheduler.allocation.ExecutorLife.Starting;
import io.kiln.scheduler.allocation.ExecutorLife.Unreachable;
import java.util.Collection;
import java.util.Optional;

/// Why tasks wait, for people: what executors there are, and what became of others.
record Situation(Collection<ExecutorLife> executors, ExecutorFailures failures) {

  /// @param target what is wanted; empty if nobody has said yet
  /// @param managerSays why the application waits; may be empty
  String describe(Optional<ExecutorTarget> target, String managerSays) {
    int starting = 0;
    int registered = 0;
    int leaving = 0;
    int slots = 0;
    for (ExecutorLife life : executors) {
      switch (life) {
        case Starting _ -> starting++;
        case Registered up when up.leaving() -> leaving++;
        case Registered up -> {
          registered++;
          slots += up.slots();
        }
        case Unreachable _ -> {}
      }
    }
    return describeWanted(target)
        + registered
        + " are registered with "
        + slots
        + " slots, "
        + (leaving > 0 ? leaving + " are about to leave, " : "")
        + starting
        + " are starting"
        + describeMissing(target, registered + starting)
        + describeFailed()
        + (managerSays.isEmpty() ? "" : "; the cluster manager says: " + managerSays);
  }

  private static String describeWanted(Optional<ExecutorTarget> target) {
    int wanted = target.map(ExecutorTarget::executors).orElse(0);
    return wanted == ExecutorTarget.NO_LIMIT
        ? "as many executors as can be had are wanted, "
        : wanted + " executors are wanted, ";
  }

  private static String describeMissing(Optional<ExecutorTarget> target, int there) {
    return target
        .filter(ExecutorTarget::isLimited)
        .map(wanted -> ", " + Math.max(0, wanted.executors() - there) + " are missing")
        .orElse("");
  }

  private String describeFailed() {
    return failures.total() == 0
        ? ", none has failed"
        : ", " + failures.total() + " have failed, the last: " + failures.last();
  }
}
