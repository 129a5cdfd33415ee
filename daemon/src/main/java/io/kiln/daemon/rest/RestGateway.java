package io.kiln.daemon.rest;

import io.kiln.api.KilnException;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import io.kiln.http.HttpBounds;
import io.kiln.http.HttpServer;
import java.util.Optional;

/// Takes submissions over HTTP and hands them to a master. Thread-safe; lives from [#start] to
/// [#close].
public final class RestGateway implements AutoCloseable {
  private final HttpServer server;

  private RestGateway(HttpServer server) {
    this.server = server;
  }

  /// As the settings say.
  ///
  /// @param host where the master listens for everything else
  /// @param secret of the cluster; empty if its processes don't authenticate each other
  /// @return empty if submissions over HTTP are not wanted
  /// @throws KilnException `SETTING_INVALID`, `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`,
  ///     `CERTIFICATES_UNUSABLE`
  public static Optional<RestGateway> start(
      Settings settings, String host, Optional<byte[]> secret, Submissions master) {
    return settings.get(RestSettings.ENABLED)
        ? Optional.of(start(RestOptions.of(settings, host, secret), master))
        : Optional.empty();
  }

  /// Listens, and serves from now on.
  ///
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public static RestGateway start(RestOptions options, Submissions master) {
    HttpServer server = HttpServer.open(options.site(), HttpBounds.usual());
    server.serve(new SubmissionHandler(options, server.port(), master));
    return new RestGateway(server);
  }

  /// On which it listens.
  public int port() {
    return server.port();
  }

  /// Requests that are being answered are broken off. Idempotent.
  @Override
  public void close() {
    server.close();
  }
}
