package io.kiln.storage.remote;

import io.kiln.base.settings.DecommissionSettings;
import io.kiln.base.settings.Settings;
import java.time.Duration;

/// What becomes of the data of a process that is about to end.
///
/// @param blocks whether partitions of persisted RDDs are moved to others
/// @param outputs whether map outputs are
/// @param maxFailures how many others may decline a block in one round, and how many rounds may be
///     in vain, until it is given up
/// @param interval between two rounds
/// @param threads that move map outputs at a time
/// @param maxDiskBytes that map outputs may take in a process that is asked to keep some of another
public record DepartureOptions(
    boolean blocks,
    boolean outputs,
    int maxFailures,
    Duration interval,
    int threads,
    long maxDiskBytes) {

  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  public static DepartureOptions of(Settings settings) {
    boolean moves = settings.get(DecommissionSettings.STORAGE);
    return new DepartureOptions(
        moves && settings.get(DecommissionSettings.RDD_BLOCKS),
        moves && settings.get(DecommissionSettings.SHUFFLE_BLOCKS),
        settings.get(DecommissionSettings.MAX_FAILURES),
        settings.get(DecommissionSettings.INTERVAL),
        settings.get(DecommissionSettings.SHUFFLE_THREADS),
        settings.find(DecommissionSettings.SHUFFLE_DISK).orElse(Long.MAX_VALUE));
  }
}
