package io.kiln.daemon.web;

import io.kiln.api.KilnException;
import io.kiln.http.HttpBounds;
import io.kiln.http.HttpServer;
import io.kiln.http.Json;
import io.kiln.http.RequestHandler;
import io.kiln.http.RequestHead;
import io.kiln.http.Response;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows what a daemon knows, at `/json/`; at `/json/FIELD`, one field of it. Nothing can be
/// changed here, and nothing secret is shown, so whoever reaches the port may ask, but for web
/// pages in somebody's browser. Thread-safe; lives from [#open] to [#close], and answers after
/// [#serve].
public final class StatusServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int AT_ONCE = 32;
  private static final String ROOT = "/json/";

  /// How old what is shown may be.
  public static final Duration AGE = Duration.ofMillis(500);

  /// What is shown.
  public interface Source {
    /// @param field empty: all
    CompletableFuture<Map<String, Object>> state(String field);
  }

  private final HttpServer server;

  private StatusServer(HttpServer server) {
    this.server = server;
  }

  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  public static StatusServer open(HttpServer.Site site) {
    return new StatusServer(HttpServer.open(site, HttpBounds.usual()));
  }

  /// Once.
  public void serve(Source source) {
    server.serve(new Handler(source));
  }

  /// Where browsers find it.
  ///
  /// @param host by which others reach this one
  public String url(String host) {
    return server.url(host);
  }

  /// Idempotent.
  @Override
  public void close() {
    server.close();
  }

  private static final class Handler implements RequestHandler {
    private final Source source;
    private final Semaphore free = new Semaphore(AT_ONCE);

    Handler(Source source) {
      this.source = source;
    }

    @Override
    public int maxBodyBytes() {
      return 0;
    }

    @Override
    public Optional<Response> refusal(RequestHead head) {
      return head.method().equals("GET")
          ? Optional.empty()
          : Optional.of(
              Response.line(Response.NO_SUCH_METHOD, "Only GET is answered here.")
                  .with("Allow", "GET"));
    }

    @Override
    public Response answer(RequestHead head, byte[] body) throws InterruptedException {
      String path = head.path();
      if (path.equals("/json")) {
        return Response.line(Response.MOVED, "").with("Location", ROOT);
      }
      if (!path.startsWith(ROOT)) {
        return Response.line(Response.NO_SUCH_PAGE, "There is nothing here; look at /json/.");
      }
      if (!free.tryAcquire()) {
        return Response.line(Response.UNAVAILABLE, "Too many requests at once; try again later.");
      }
      try {
        return show(path.substring(ROOT.length()));
      } finally {
        free.release();
      }
    }

    private Response show(String field) throws InterruptedException {
      try {
        Map<String, Object> state =
            source.state(field).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return Response.of(Response.OK, "text/json", Json.write(state));
      } catch (TimeoutException | ExecutionException e) {
        LOG.debug("Its state can't be shown", e);
        return Response.line(Response.UNAVAILABLE, "It does not answer in time; try again later.");
      }
    }
  }
}
