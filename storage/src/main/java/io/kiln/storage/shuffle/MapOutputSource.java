package io.kiln.storage.shuffle;

/// Where tasks read map outputs. Thread-safe.
@FunctionalInterface
public interface MapOutputSource {
  /// Nothing is read before the first run is asked for.
  StoredRuns open(TaskResources resources, ShuffleRange range);
}
