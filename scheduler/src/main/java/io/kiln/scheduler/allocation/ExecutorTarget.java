package io.kiln.scheduler.allocation;

import io.kiln.base.machine.HostList;
import java.util.List;

/// How many executors there should be, and where.
///
/// @param executors [#NO_LIMIT]: as many as the application may have
/// @param profileId which kind of executor, as the application numbers them; [#DEFAULT_PROFILE] is
///     what the settings describe. A manager that knows no others starts none of another kind, and
///     says so.
/// @param wantedHosts where executors are wanted first; a manager may find no room there
/// @param avoidedHosts where none may be started; those that are there stay
public record ExecutorTarget(
    int executors, int profileId, List<String> wantedHosts, List<String> avoidedHosts) {
  public static final int NO_LIMIT = Integer.MAX_VALUE;
  public static final int DEFAULT_PROFILE = 0;

  /// @throws IllegalArgumentException if a manager could not take it
  public ExecutorTarget {
    if (executors < 0) {
      throw new IllegalArgumentException(executors + " executors can't be");
    }
    wantedHosts = HostList.checked(wantedHosts);
    avoidedHosts = HostList.checked(avoidedHosts);
  }

  /// So many, of the default kind, anywhere.
  public static ExecutorTarget of(int executors) {
    return new ExecutorTarget(executors, DEFAULT_PROFILE, List.of(), List.of());
  }

  /// The same in all but the number.
  public ExecutorTarget withExecutors(int number) {
    return new ExecutorTarget(number, profileId, wantedHosts, avoidedHosts);
  }

  public boolean isLimited() {
    return executors != NO_LIMIT;
  }
}
