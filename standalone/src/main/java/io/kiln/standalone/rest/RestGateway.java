package io.kiln.standalone.rest;

import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnException;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import io.kiln.standalone.web.HttpPort;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Takes submissions over HTTP and hands them to a master. Thread-safe; lives from [#start] to
/// [#close].
public final class RestGateway implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads;

  private RestGateway(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /// As the settings say.
  ///
  /// @param host where the master listens for everything else
  /// @param secret of the cluster; empty if its processes don't authenticate each other
  /// @return empty if submissions over HTTP are not wanted
  /// @throws KilnException `SETTING_INVALID`, `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
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
    HttpServer server =
        new HttpPort(
                options.host(),
                options.port(),
                options.portRetries(),
                "take submissions over HTTP",
                "spark.master.rest.host",
                "spark.master.rest.port")
            .open();
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kiln-rest-", 0).factory());
    server.setExecutor(threads);
    server.createContext("/", new RequestHandler(options, server.getAddress().getPort(), master));
    server.start();
    return new RestGateway(server, threads);
  }

  /// On which it listens.
  public int port() {
    return server.getAddress().getPort();
  }

  /// Requests that are being answered are broken off. Idempotent.
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
