package io.kiln.scheduler.allocation;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// The settings of the allocation machine.
///
/// @param manager how the cluster manager behaves
/// @param startTimeout how long a process may take to register
/// @param silenceTimeout how long an executor may go without a heartbeat
/// @param maxFailures how many executors may fail until the application is given up; empty for
///     twice the target, and at least 3
/// @param failuresValidity after how long a failure no longer counts; empty for never
/// @param resourcesTimeout how long tasks may wait while none runs until their jobs fail; empty for
///     ever
/// @param leaveTimeout how long one that is to go may take; empty for as long as it likes
public record AllocationOptions(
    ManagerTraits manager,
    Duration startTimeout,
    Duration silenceTimeout,
    OptionalInt maxFailures,
    Optional<Duration> failuresValidity,
    Optional<Duration> resourcesTimeout,
    Optional<Duration> leaveTimeout) {
  private static final int FEWEST_FAILURES = 3;

  public static final AllocationOptions DEFAULT =
      new AllocationOptions(
          ManagerTraits.DEFAULT,
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

  public AllocationOptions withManager(ManagerTraits traits) {
    return new AllocationOptions(
        traits,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withMaxFailures(int failures) {
    return new AllocationOptions(
        manager,
        startTimeout,
        silenceTimeout,
        OptionalInt.of(failures),
        failuresValidity,
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withFailuresValidity(Duration validity) {
    return new AllocationOptions(
        manager,
        startTimeout,
        silenceTimeout,
        maxFailures,
        Optional.of(validity),
        resourcesTimeout,
        leaveTimeout);
  }

  public AllocationOptions withResourcesTimeout(Duration timeout) {
    return new AllocationOptions(
        manager,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        Optional.of(timeout),
        leaveTimeout);
  }

  public AllocationOptions withLeaveTimeout(Duration timeout) {
    return new AllocationOptions(
        manager,
        startTimeout,
        silenceTimeout,
        maxFailures,
        failuresValidity,
        resourcesTimeout,
        Optional.of(timeout));
  }
}
