package io.kiln.standalone.rest;

import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnException;
import io.kiln.base.settings.RestSettings;
import io.kiln.base.settings.Settings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Takes submissions over HTTP and hands them to a master. Thread-safe; lives from [#start] to
/// [#close].
public final class RestGateway implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int MAX_PORT = 0xFFFF;

  /// What the JDK's server bounds, in seconds or connections, for all servers of the process; it
  /// reads them when the first is made. Who starts the JVM may say otherwise.
  private static final String[][] BOUNDS = {
    {"sun.net.httpserver.maxReqTime", "10"},
    {"sun.net.httpserver.maxRspTime", "600"},
    {"sun.net.httpserver.idleInterval", "30"},
    {"sun.net.httpserver.maxIdleConnections", "200"},
    {"jdk.httpserver.maxConnections", "1000"},
  };

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
    for (String[] bound : BOUNDS) {
      if (System.getProperty(bound[0]) == null) {
        System.setProperty(bound[0], bound[1]);
      }
    }
    HttpServer server = bound(options);
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kiln-rest-", 0).factory());
    server.setExecutor(threads);
    server.createContext("/", new RequestHandler(options, server.getAddress().getPort(), master));
    server.start();
    return new RestGateway(server, threads);
  }

  private static HttpServer bound(RestOptions options) {
    int attempts = options.port() == 0 ? 1 : options.portRetries() + 1;
    int last = options.port() == 0 ? 0 : Math.min(options.port() + attempts - 1, MAX_PORT);
    for (int port = options.port(); port <= last; port++) {
      try {
        return HttpServer.create(new InetSocketAddress(options.host(), port), BACKLOG);
      } catch (BindException e) {
        if (!String.valueOf(e.getMessage()).contains("in use")) {
          throw noAddress(options, e);
        }
      } catch (IOException | IllegalArgumentException e) {
        throw noAddress(options, e);
      }
    }
    throw new KilnException(
        "PORT_UNAVAILABLE",
        KilnException.Kind.RESOURCES,
        "can't take submissions over HTTP on "
            + options.host()
            + ": the ports from "
            + options.port()
            + " to "
            + last
            + " are taken; choose another by spark.master.rest.port, or raise"
            + " spark.port.maxRetries");
  }

  private static KilnException noAddress(RestOptions options, Exception cause) {
    return new KilnException(
        "ADDRESS_UNAVAILABLE",
        KilnException.Kind.USER,
        "can't take submissions over HTTP on "
            + options.host()
            + ": "
            + cause
            + "; give an address of this machine by spark.master.rest.host",
        cause);
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
