package io.kiln.driver;

import io.kiln.base.settings.AllocationSettings;
import io.kiln.base.settings.DecommissionSettings;
import io.kiln.base.settings.Settings;
import io.kiln.scheduler.allocation.AllocationOptions;
import io.kiln.scheduler.allocation.ManagerTraits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads the settings of the allocation machine.
final class AllocationSetup {

  private AllocationSetup() {}

  /// @param manager how the cluster manager behaves
  /// @param silenceTimeout how long an executor may go without a heartbeat
  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  static AllocationOptions options(
      Settings settings, ManagerTraits manager, Duration silenceTimeout) {
    Optional<Integer> maxFailures = settings.find(AllocationSettings.MAX_FAILURES);
    return new AllocationOptions(
        manager,
        settings.get(AllocationSettings.START_TIMEOUT),
        silenceTimeout,
        maxFailures.isPresent() ? OptionalInt.of(maxFailures.get()) : OptionalInt.empty(),
        settings.find(AllocationSettings.FAILURES_VALIDITY),
        settings.find(AllocationSettings.NO_RESOURCES_TIMEOUT),
        settings.find(DecommissionSettings.FORCE_KILL_TIMEOUT));
  }
}
