package io.kiln.standalone.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kiln.api.KilnException;
import io.kiln.standalone.rest.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows what a daemon knows, at `/json/`; at `/json/FIELD`, one field of it. Nothing can be
/// changed here, and nothing secret is shown, so whoever reaches the port may ask. Thread-safe;
/// lives from
/// [#open] to [#close], and answers after [#serve].
public final class StatusServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int AT_ONCE = 32;
  private static final String ROOT = "/json/";

  private static final int OK = 200;
  private static final int MOVED = 301;
  private static final int NO_SUCH_PAGE = 404;
  private static final int NO_SUCH_METHOD = 405;
  private static final int UNAVAILABLE = 503;

  /// What is shown.
  public interface Source {
    /// @param field empty: all
    CompletableFuture<Map<String, Object>> state(String field);
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final Semaphore free = new Semaphore(AT_ONCE);

  private StatusServer(HttpServer server) {
    this.server = server;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kiln-web-", 0).factory());
    server.setExecutor(threads);
  }

  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public static StatusServer open(HttpPort port) {
    return new StatusServer(port.open());
  }

  /// Once.
  public void serve(Source source) {
    server.createContext("/", exchange -> handle(exchange, source));
    server.start();
  }

  /// Where browsers find it.
  ///
  /// @param host by which others reach this one
  public String url(String host) {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return "http://" + shown + ":" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange, Source source) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, NO_SUCH_METHOD, "text/plain", "Only GET is answered here.\n");
      } else if (path.equals("/json")) {
        exchange.getResponseHeaders().set("Location", ROOT);
        send(exchange, MOVED, "text/plain", "");
      } else if (!path.startsWith(ROOT)) {
        send(exchange, NO_SUCH_PAGE, "text/plain", "There is nothing here; look at /json/.\n");
      } else if (!free.tryAcquire()) {
        send(exchange, UNAVAILABLE, "text/plain", "Too many requests at once; try again later.\n");
      } else {
        try {
          answer(exchange, source, path.substring(ROOT.length()));
        } finally {
          free.release();
        }
      }
    }
  }

  private static void answer(HttpExchange exchange, Source source, String field)
      throws IOException {
    try {
      Map<String, Object> state =
          source.state(field).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      send(exchange, OK, "text/json", Json.write(state));
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("Its state can't be shown", e);
      send(exchange, UNAVAILABLE, "text/plain", "It does not answer in time; try again later.\n");
    } catch (InterruptedException e) {
      send(exchange, UNAVAILABLE, "text/plain", "It is ending.\n");
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-cache, no-store, must-revalidate");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("X-Frame-Options", "SAMEORIGIN");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
      exchange.getResponseBody().flush(); // closing waits for what the client still sends
    }
  }

  /// Idempotent.
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
