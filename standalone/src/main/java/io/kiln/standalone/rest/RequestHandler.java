package io.kiln.standalone.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.kiln.api.KilnException;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers requests, each on a thread of its own. Nothing of what goes wrong inside is told to
/// clients but that it did. Thread-safe.
final class RequestHandler implements HttpHandler {
  static final int MAX_BODY_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
  private static final String BEARER = "Bearer ";

  private final RestOptions options;
  private final int port;
  private final Submissions master;
  private final Optional<BearerToken> token;
  private final Semaphore free;

  /// @param port on which requests come
  RequestHandler(RestOptions options, int port, Submissions master) {
    this.options = options;
    this.port = port;
    this.master = master;
    this.token = options.key().map(BearerToken::new);
    this.free = new Semaphore(options.maxRequests());
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (free.tryAcquire()) {
        try {
          send(exchange, answer(exchange));
        } finally {
          free.release();
        }
      } else {
        send(
            exchange,
            Answer.error(Answer.UNAVAILABLE, "Too many requests at once; try again later."));
      }
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    try {
      refuseWebPages(exchange);
      Route route = Route.of(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
      if (!(route instanceof Route.Ready)) {
        requireToken(exchange);
      }
      return answer(route, exchange);
    } catch (Refused e) {
      return Answer.error(e.status(), e.getMessage());
    } catch (InterruptedException e) {
      return Answer.error(Answer.UNAVAILABLE, "This master is ending.");
    } catch (RuntimeException e) {
      LOG.error("A request to {} failed", exchange.getRequestURI().getPath(), e);
      return Answer.error(Answer.FAILED, "Internal server error; the master's log says more.");
    }
  }

  /// A browser names the page that sends a request elsewhere; no other client does.
  private static void refuseWebPages(HttpExchange exchange) throws Refused {
    if (exchange.getRequestHeaders().containsKey("Origin")) {
      throw new Refused(Answer.FORBIDDEN, "Requests of web pages are not taken.");
    }
  }

  private void requireToken(HttpExchange exchange) throws Refused {
    if (token.isEmpty()) {
      return;
    }
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null) {
      throw new Refused(Answer.FORBIDDEN, "Authorization header is missing.");
    }
    if (!header.startsWith(BEARER)) {
      throw new Refused(Answer.FORBIDDEN, "Malformed Authorization header: it is not Bearer.");
    }
    try {
      token.get().require(header.substring(BEARER.length()).trim(), Instant.now());
    } catch (BearerToken.Refused e) {
      throw new Refused(Answer.FORBIDDEN, "JWT Validate Fail: " + e.getMessage() + ".");
    }
  }

  private Answer answer(Route route, HttpExchange exchange)
      throws IOException, Refused, InterruptedException {
    return switch (route) {
      case Route.Astray(Answer answer) -> answer;
      case Route.Create _ -> create(body(exchange));
      case Route.Status(String id) -> status(id, await(master.status(id)));
      case Route.Kill(String id) -> {
        KillDriverResponse killed = await(master.kill(id));
        yield Answer.of(
                "KillSubmissionResponse", killed.success(), message(killed, killed.message()))
            .with("submissionId", Optional.of(id));
      }
      case Route.KillAll _ -> {
        KillAllDriversResponse killed = await(master.killAll());
        yield Answer.of(
            "KillAllSubmissionResponse", killed.success(), message(killed, killed.message()));
      }
      case Route.Clear _ -> {
        ClearCompletedResponse cleared = await(master.clear());
        yield Answer.of("ClearResponse", cleared.success(), message(cleared, cleared.message()));
      }
      case Route.Ready _ -> ready();
    };
  }

  private Answer create(byte[] body) throws Refused, InterruptedException {
    CreateRequest request = CreateRequest.parse(body);
    SubmitDriverResponse response =
        await(master.submit(request.driver(port, await(master.master()).masterUrl())));
    return Answer.of(
            "CreateSubmissionResponse", response.success(), message(response, response.message()))
        .with("submissionId", response.driverId())
        .withUnknown(request.unknownFields());
  }

  private static Answer status(String id, DriverStatusResponse response) {
    Optional<DriverStatus> driver = response.driver();
    return Answer.of(
            "SubmissionStatusResponse", driver.isPresent(), message(response, response.message()))
        .with("submissionId", Optional.of(id))
        .with("driverState", driver.map(known -> known.state().name()))
        .with("workerId", driver.flatMap(DriverStatus::workerId))
        .with("workerHostPort", driver.flatMap(DriverStatus::workerHostPort))
        .with("exitCode", driver.flatMap(DriverStatus::exitCode).map(code -> code.toString()));
  }

  /// A client that knows several masters goes on to the next if the message begins so.
  private static String message(ToClient response, String message) {
    return response.master().state() == MasterState.STANDBY
        ? "Current state is not alive: STANDBY. " + message
        : message;
  }

  private Answer ready() throws Refused, InterruptedException {
    boolean ready = await(master.master()).state() != MasterState.STANDBY;
    return Answer.of("ReadyzResponse", ready, ready ? "" : "This master stands by.")
        .withStatus(ready ? Answer.OK : Answer.UNAVAILABLE);
  }

  private <T> T await(CompletableFuture<T> asked) throws Refused, InterruptedException {
    try {
      return asked.get(options.answerWithin().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Refused(
          Answer.NOT_IN_TIME,
          "The master has not answered within "
              + options.answerWithin().toSeconds()
              + " s; what was asked may still be done.");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KilnException failure) {
        throw new Refused(Answer.FAILED, failure.getMessage());
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static byte[] body(HttpExchange exchange) throws IOException, Refused {
    String announced = exchange.getRequestHeaders().getFirst("Content-Length");
    InputStream in = exchange.getRequestBody();
    boolean large = announced != null && announced.length() > 9;
    byte[] body =
        large || (announced != null && Long.parseLong(announced) > MAX_BODY_BYTES)
            ? new byte[MAX_BODY_BYTES + 1]
            : in.readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      exchange.getResponseHeaders().set("Connection", "close");
      throw new Refused(Answer.TOO_LARGE, "The body is larger than " + MAX_BODY_BYTES + " bytes.");
    }
    return body;
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] text = Json.write(answer.fields()).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json;charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.sendResponseHeaders(answer.status(), text.length);
    exchange.getResponseBody().write(text);
    exchange.getResponseBody().flush(); // closing waits for what the client still sends
  }
}
