package io.kiln.standalone.rest;

import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import java.time.Duration;
import java.util.Optional;

/// How a gateway works.
///
/// @param host of the interface on which it listens
/// @param port from 1 to 65535, or 0 for any
/// @param portRetries how many ports are tried after one that is taken
/// @param maxRequests how many are worked on at once
/// @param answerWithin how long the master may take for an answer
/// @param key that tokens are signed by; without, everybody is believed
public record RestOptions(
    String host,
    int port,
    int portRetries,
    int maxRequests,
    Duration answerWithin,
    Optional<byte[]> key) {

  /// @param masterHost where the master listens for everything else
  /// @param secret of the cluster; empty if its processes don't authenticate each other
  public static RestOptions of(Settings settings, String masterHost, Optional<byte[]> secret) {
    return new RestOptions(
        settings.find(RestSettings.HOST).orElse(masterHost),
        settings.get(RestSettings.PORT),
        settings.get(NetworkSettings.PORT_MAX_RETRIES),
        settings.get(RestSettings.MAX_THREADS),
        settings
            .find(NetworkSettings.ASK_TIMEOUT)
            .orElseGet(() -> settings.get(NetworkSettings.TIMEOUT)),
        settings.get(RestSettings.AUTHENTICATE) ? secret : Optional.empty());
  }
}
