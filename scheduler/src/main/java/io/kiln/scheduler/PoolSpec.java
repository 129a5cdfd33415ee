package io.kiln.scheduler;

/// A pool as it was configured.
///
/// @param mode among the task sets of the pool
/// @param weight its share against other pools, at least 1
/// @param minShare slots that it gets before other pools share the rest, at least 0
public record PoolSpec(String name, SchedulingMode mode, int weight, int minShare) {
  public PoolSpec {
    if (weight < 1 || minShare < 0) {
      throw new IllegalArgumentException(
          "pool " + name + ": weight " + weight + " and minShare " + minShare + " are too small");
    }
  }

  /// A pool that nobody configured.
  public static PoolSpec unconfigured(String name) {
    return new PoolSpec(name, SchedulingMode.FIFO, 1, 0);
  }
}
