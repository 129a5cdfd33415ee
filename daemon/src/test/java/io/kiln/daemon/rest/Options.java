package io.kiln.daemon.rest;

import io.kiln.daemon.rest.RestOptions.Keys;
import io.kiln.http.HostNames;
import io.kiln.http.HttpServer;
import io.kiln.network.security.Certificates;
import io.kiln.network.transport.ListenPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Gateways of tests, on this machine alone.
public final class Options {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Options() {}

  public static HttpServer.Site site(String host, ListenPort port, Optional<Certificates> tls) {
    return new HttpServer.Site(
        host,
        port,
        "spark.master.rest.host",
        "take submissions over HTTP",
        new HostNames(List.of(host), List.of()),
        tls);
  }

  public static RestOptions open() {
    return of(Keys.NONE, PATIENCE);
  }

  public static RestOptions signed(byte[] secret) {
    return of(new Keys(Optional.of(secret), Optional.empty()), PATIENCE);
  }

  public static RestOptions of(Keys keys, Duration answerWithin) {
    return new RestOptions(
        site("127.0.0.1", ListenPort.any(), Optional.empty()), 200, answerWithin, keys);
  }
}
