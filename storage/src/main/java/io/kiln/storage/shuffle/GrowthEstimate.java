package io.kiln.storage.shuffle;

import io.kiln.storage.memory.SizeEstimator;

/// Follows how much memory a growing collection takes by looking at a few of its changes. Used by
/// one thread.
///
/// Two models are kept, and the smaller is believed: every entry is as large as those that
/// changed lately (large entries change more often than small ones, so this errs on the high side),
/// and every value that came still takes its room (too high where values are summed up).
final class GrowthEstimate {
  private static final double WEIGHT = 1.0 / 8;
  private static final int MAX_INTERVAL = 1024;
  private static final long ENTRY_BYTES = 48;

  private final SizeEstimator estimator = new SizeEstimator();
  private long changes;
  private long lastLook;
  private double keyBytes;
  private double valueBytes;
  private double entryBytes;
  private int interval = 1;
  private boolean looked;

  /// How many changes until the next [#look].
  int interval() {
    return interval;
  }

  /// @param key of the last change
  /// @param value that came
  /// @param combined what the collection now holds for the key
  /// @param newChanges how many changes there were since the last look
  void look(Object key, Object value, Object combined, int newChanges) {
    changes += newChanges;
    double newKeyBytes = estimator.estimate(key);
    double newValueBytes = estimator.estimate(value);
    double newEntryBytes = newValueBytes;
    if (combined != value) {
      newEntryBytes = estimator.estimate(combined);
    }
    if (looked) {
      keyBytes += WEIGHT * (newKeyBytes - keyBytes);
      valueBytes += WEIGHT * (newValueBytes - valueBytes);
      entryBytes += WEIGHT * (newEntryBytes - entryBytes);
    } else {
      keyBytes = newKeyBytes;
      valueBytes = newValueBytes;
      entryBytes = newEntryBytes;
      looked = true;
    }
    lastLook = changes;
    interval = Math.clamp(changes / 16, 1, MAX_INTERVAL);
  }

  /// @param entries of the collection
  /// @return bytes that the entries take, the collection's own arrays apart
  long bytes(int entries) {
    double asLarge = entries * (keyBytes + entryBytes);
    double allKept = lastLook * valueBytes + entries * (keyBytes + ENTRY_BYTES);
    return (long) Math.min(asLarge, allKept);
  }

  void reset() {
    changes = 0;
    lastLook = 0;
  }
}
