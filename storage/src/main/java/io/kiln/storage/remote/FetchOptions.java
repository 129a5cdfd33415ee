package io.kiln.storage.remote;

import io.kiln.base.settings.Settings;
import io.kiln.base.settings.ShuffleSettings;
import java.time.Duration;

/// How much is asked for at a time, and how often.
///
/// @param maxRequestsInFlight streams that a task reads at a time, at least 1
/// @param maxBytesInFlight that may be on their way to a task or wait for it
/// @param maxSegmentInMemoryBytes of a part of a map output that doesn't go through a file
/// @param maxRetries after which a process that can't be reached is given up
/// @param retryWait before each of them
public record FetchOptions(
    int maxRequestsInFlight,
    long maxBytesInFlight,
    long maxSegmentInMemoryBytes,
    int maxRetries,
    Duration retryWait) {

  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  public static FetchOptions of(Settings settings) {
    return new FetchOptions(
        settings.get(ShuffleSettings.MAX_REQUESTS_IN_FLIGHT),
        settings.get(ShuffleSettings.MAX_SIZE_IN_FLIGHT),
        settings.get(ShuffleSettings.MAX_REMOTE_TO_MEMORY),
        settings.get(ShuffleSettings.FETCH_RETRIES),
        settings.get(ShuffleSettings.FETCH_RETRY_WAIT));
  }
}
