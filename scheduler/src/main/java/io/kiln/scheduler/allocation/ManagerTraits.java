package io.kiln.scheduler.allocation;

import java.time.Duration;

/// How a kind of cluster manager behaves, as far as the allocation machine has to know.
///
/// @param reasonTimeout how long the manager may take to say why a process is gone whose link is
///     lost. The tasks that ran there wait for that.
/// @param replacesFailed whether the manager itself decides how soon an executor that failed is
///     replaced, and after how many failures it gives the application up. Otherwise the allocation
///     machine does.
public record ManagerTraits(Duration reasonTimeout, boolean replacesFailed) {

  /// Of one that watches its processes closely, and leaves the rest to the allocation machine.
  public static final ManagerTraits DEFAULT = new ManagerTraits(Duration.ofSeconds(1), false);
}
