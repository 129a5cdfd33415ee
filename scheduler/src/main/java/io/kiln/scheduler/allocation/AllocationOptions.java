package io.kiln.scheduler.allocation;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// The settings of the allocation machine.
///
/// @param startTimeout how long a process may take to register
/// @param silenceTimeout how long an executor may go without a heartbeat
/// @param maxFailures how many executors may fail until the application is given up; empty for
///     twice the target, and at least 3
/// @param failuresValidity after how long a failure no longer counts; empty for never
/// @param managerDecides whether the cluster manager decides how many executors there are: then
/// none
///     is asked for, and none is too much
/// @param resourcesTimeout how long tasks may wait while none runs until their jobs fail; empty for
///     ever
/// @param leaveTimeout how long one that is to go may take; empty for as long as it likes
public record AllocationOptions(
    boolean managerDecides,
    Duration startTimeout,
    Duration silenceTimeout,
    OptionalInt maxFailures,
    Optional<Duration> failuresValidity,
    Optional<Duration> resourcesTimeout,
    Optional<Duration> leaveTimeout) {
  private static final int FEWEST_FAILURES = 3;

  public static final AllocationOptions DEFAULT =
      new AllocationOptions(
          false,
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /// With so many executors wanted.
  int maxFailures(int target) {
    return maxFailures.orElse(
        (int) Math.min(Integer.MAX_VALUE, Math.max(FEWEST_FAILURES, 2L * target)));
  }

  public AllocationOptions withManagerDeciding() {
    return new AllocationOptions(
        true,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withMaxFailures(int failures) {
    return new AllocationOptions(
        managerDecides,
        startTimeout,
        silenceTimeout,
        OptionalInt.of(failures),
        failuresValidity,
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withFailuresValidity(Duration validity) {
    return new AllocationOptions(
        managerDecides,
        startTimeout,
        silenceTimeout,
        maxFailures,
        Optional.of(validity),
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withResourcesTimeout(Duration timeout) {
    return new AllocationOptions(
        managerDecides,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        Optional.of(timeout),
        leaveTimeout);
  }

  public AllocationOptions withLeaveTimeout(Duration timeout) {
    return new AllocationOptions(
        managerDecides,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        resourcesTimeout,
        Optional.of(timeout));
  }
}
