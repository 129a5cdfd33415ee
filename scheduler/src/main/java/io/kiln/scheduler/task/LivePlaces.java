package io.kiln.scheduler.task;

import java.util.HashMap;
import java.util.Map;

/// The executors and hosts where a task could run now.
final class LivePlaces {
  private final Map<String, Integer> executors = new HashMap<>();
  private final Map<String, Integer> hosts = new HashMap<>();
  private long version;

  void add(RegisteredExecutor executor) {
    executors.merge(executor.place(), 1, Integer::sum);
    hosts.merge(executor.host(), 1, Integer::sum);
    version++;
  }

  void remove(RegisteredExecutor executor) {
    executors.computeIfPresent(executor.place(), (_, n) -> n == 1 ? null : n - 1);
    hosts.computeIfPresent(executor.host(), (_, n) -> n == 1 ? null : n - 1);
    version++;
  }

  /// Grows with every change.
  long version() {
    return version;
  }

  boolean hasExecutor(String place) {
    return executors.containsKey(place);
  }

  boolean hasHost(String place) {
    return hosts.containsKey(place);
  }
}
