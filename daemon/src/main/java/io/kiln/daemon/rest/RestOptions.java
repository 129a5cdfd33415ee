package io.kiln.daemon.rest;

import io.kiln.api.KilnException;
import io.kiln.base.settings.NetworkSettings;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import io.kiln.daemon.web.HttpSites;
import io.kiln.http.HttpServer;
import io.kiln.network.transport.ListenPort;
import io.kiln.node.SubmissionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a gateway works.
///
/// @param site where it listens
/// @param maxRequests how many are worked on at once
/// @param answerWithin how long the master may take for an answer
/// @param keys by which a request may be signed
public record RestOptions(HttpServer.Site site, int maxRequests, Duration answerWithin, Keys keys) {
  private static final Logger LOG = LoggerFactory.getLogger(RestOptions.class);

  /// Without any, everybody is believed.
  ///
  /// @param secret of the cluster, for tokens that are each for one request
  /// @param shared by all who submit, for tokens that are good for any request
  public record Keys(Optional<byte[]> secret, Optional<byte[]> shared) {
    public static final Keys NONE = new Keys(Optional.empty(), Optional.empty());
  }

  /// @param masterHost where the master listens for everything else
  /// @param secret of the cluster; empty if its processes don't authenticate each other
  /// @throws KilnException `SETTING_INVALID`, `CERTIFICATES_UNUSABLE`
  public static RestOptions of(Settings settings, String masterHost, Optional<byte[]> secret) {
    Optional<byte[]> shared = SubmissionKey.find(settings);
    boolean authenticate = settings.get(RestSettings.AUTHENTICATE);
    if (!authenticate && shared.isEmpty()) {
      LOG.warn(
          "{}=false: whoever reaches the port for submissions over HTTP may run programs here",
          RestSettings.AUTHENTICATE.key());
    } else if (secret.isEmpty() && shared.isEmpty()) {
      LOG.warn(
          "{}=false: whoever reaches the port for submissions over HTTP may run programs here",
          NetworkSettings.AUTHENTICATE.key());
    }
    String host = settings.find(RestSettings.HOST).orElse(masterHost);
    return new RestOptions(
        HttpSites.of(
            settings,
            List.of(host, masterHost),
            ListenPort.of(settings, RestSettings.PORT),
            RestSettings.HOST.key(),
            "take submissions over HTTP"),
        settings.get(RestSettings.MAX_THREADS),
        settings
            .find(NetworkSettings.ASK_TIMEOUT)
            .orElseGet(() -> settings.get(NetworkSettings.TIMEOUT)),
        new Keys(authenticate ? secret : Optional.empty(), shared));
  }
}
