package io.kiln.scheduler.allocation;

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

  /// What every manager takes.
  private static final int MOST_HOSTS = 10_000;

  /// Of a name in DNS.
  private static final int LONGEST_HOST = 255;

  /// @throws IllegalArgumentException if a manager could not take it
  public ExecutorTarget {
    if (executors < 0) {
      throw new IllegalArgumentException(executors + " executors can't be");
    }
    wantedHosts = checked(wantedHosts);
    avoidedHosts = checked(avoidedHosts);
  }

  private static List<String> checked(List<String> hosts) {
    if (hosts.size() > MOST_HOSTS
        || hosts.stream().anyMatch(host -> host.isEmpty() || host.length() > LONGEST_HOST)) {
      throw new IllegalArgumentException(
          "more than "
              + MOST_HOSTS
              + " hosts, or one whose name is not of 1 to "
              + LONGEST_HOST
              + " characters");
    }
    return List.copyOf(hosts);
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
