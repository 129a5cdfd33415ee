package io.kiln.daemon.rest;

import io.kiln.api.KilnException;
import io.kiln.cluster.protocol.DriverStatus;
import io.kiln.cluster.protocol.MasterState;
import io.kiln.cluster.protocol.ToClient;
import io.kiln.cluster.protocol.ToClient.ClearCompletedResponse;
import io.kiln.cluster.protocol.ToClient.DriverStatusResponse;
import io.kiln.cluster.protocol.ToClient.KillAllDriversResponse;
import io.kiln.cluster.protocol.ToClient.KillDriverResponse;
import io.kiln.cluster.protocol.ToClient.SubmitDriverResponse;
import io.kiln.http.Json;
import io.kiln.http.RequestHandler;
import io.kiln.http.RequestHead;
import io.kiln.http.Response;
import io.kiln.http.SignedClaims;
import io.kiln.http.TokenCheck;
import java.time.Clock;
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
final class SubmissionHandler implements RequestHandler {
  static final int MAX_BODY_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(SubmissionHandler.class);

  private final RestOptions options;
  private final int port;
  private final Submissions master;
  private final Gatekeeper gatekeeper;
  private final Semaphore free;

  /// @param port on which requests come
  SubmissionHandler(RestOptions options, int port, Submissions master) {
    this.options = options;
    this.port = port;
    this.master = master;
    this.gatekeeper =
        new Gatekeeper(
            options
                .keys()
                .secret()
                .map(key -> new SignedClaims(key, "the submitters' key of this cluster"))
                .map(key -> new TokenCheck(key, options.site().names(), port, Clock.systemUTC())),
            options.keys().shared().map(key -> new SignedClaims(key, "the filter's key")));
    this.free = new Semaphore(options.maxRequests());
  }

  @Override
  public int maxBodyBytes() {
    return MAX_BODY_BYTES;
  }

  @Override
  public Response error(int status, String why) {
    return response(Answer.error(status, why));
  }

  /// A stranger's body isn't even received.
  @Override
  public Optional<Response> refusal(RequestHead head) {
    try {
      if (needsToken(route(head))) {
        gatekeeper.requireToken(head);
      }
      return Optional.empty();
    } catch (Refused e) {
      return Optional.of(error(e.status(), e.getMessage()));
    }
  }

  @Override
  public Response answer(RequestHead head, byte[] body) throws InterruptedException {
    if (!free.tryAcquire()) {
      return error(Answer.UNAVAILABLE, "Too many requests at once; try again later.");
    }
    try {
      GatewayRequest route = route(head);
      if (needsToken(route)) {
        gatekeeper.useToken(head, body);
      }
      return response(answer(route, body));
    } catch (Refused e) {
      return error(e.status(), e.getMessage());
    } finally {
      free.release();
    }
  }

  private static GatewayRequest route(RequestHead head) throws Refused {
    refuseWebPages(head);
    return GatewayRequest.of(head.method(), head.path());
  }

  /// A browser names the page that sends a request elsewhere; no other client does.
  private static void refuseWebPages(RequestHead head) throws Refused {
    if (head.header("Origin").isPresent()) {
      throw new Refused(Answer.FORBIDDEN, "Requests of web pages are not taken.");
    }
  }

  private static boolean needsToken(GatewayRequest route) {
    return !(route instanceof GatewayRequest.Ready);
  }

  private Answer answer(GatewayRequest route, byte[] body) throws Refused, InterruptedException {
    return switch (route) {
      case GatewayRequest.Astray(Answer answer) -> answer;
      case GatewayRequest.Create _ -> create(body);
      case GatewayRequest.Status(String id) -> status(id, await(master.status(id)));
      case GatewayRequest.Kill(String id) -> {
        KillDriverResponse killed = await(master.kill(id));
        yield Answer.of(
                "KillSubmissionResponse", killed.success(), message(killed, killed.message()))
            .with("submissionId", Optional.of(id));
      }
      case GatewayRequest.KillAll _ -> {
        KillAllDriversResponse killed = await(master.killAll());
        yield Answer.of(
            "KillAllSubmissionResponse", killed.success(), message(killed, killed.message()));
      }
      case GatewayRequest.Clear _ -> {
        ClearCompletedResponse cleared = await(master.clear());
        yield Answer.of("ClearResponse", cleared.success(), message(cleared, cleared.message()));
      }
      case GatewayRequest.Ready _ -> ready();
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
      LOG.error("The master has not answered", e.getCause());
      throw new Refused(Answer.FAILED, "Internal server error; the master's log says more.");
    }
  }

  private static Response response(Answer answer) {
    return Response.of(answer.status(), "application/json", Json.write(answer.fields()));
  }
}
