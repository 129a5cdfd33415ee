package io.kiln.standalone.submit;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kiln.api.Version;
import io.kiln.cluster.protocol.DriverState;
import io.kiln.http.Json;
import io.kiln.launcher.Refusal;
import io.kiln.node.RequestedDriver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One master as it is asked over HTTP. Used by one thread.
///
/// @param address `HOST:PORT`
/// @param credentials what it shows
/// @param patience how long it may take to answer what may be asked again
record RestMaster(String address, RequestCredentials credentials, Duration patience)
    implements Gateway {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /// Longer than a gateway waits for its master, so that its words are heard.
  static final Duration READ_TIMEOUT = Duration.ofSeconds(150);

  /// What begins the message of a master that does not lead.
  private static final String STANDBY = "Current state is not alive";

  private static final String PATH = "/v1/submissions/";
  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final byte[] NO_BODY = {};

  /// Carries no id of the request: asked twice, it is two drivers.
  private static final String CREATE = "create";

  private static final int CLIENT_ERRORS = 400;

  @Override
  public String toString() {
    return address;
  }

  @Override
  public Answer submit(RequestedDriver driver, String requestId) throws Unreachable {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("action", "CreateSubmissionRequest");
    request.put("appArgs", driver.arguments());
    request.put("appResource", driver.resource());
    request.put("clientSparkVersion", Version.CURRENT);
    request.put("environmentVariables", driver.environment());
    request.put("mainClass", driver.mainClass());
    request.put("sparkProperties", driver.properties());
    return ask("POST", CREATE, Json.write(request).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Answer status(String driverId) throws Unreachable {
    return ask("GET", "status/" + driverId, NO_BODY);
  }

  @Override
  public Answer kill(String driverId) throws Unreachable {
    return ask("POST", "kill/" + driverId, NO_BODY);
  }

  /// @return what it answers, which is no error
  /// @throws Unreachable if it can't be connected to, or what it says is no answer of the protocol
  /// @throws Refusal if it refuses, or may have done it
  private Answer ask(String method, String what, byte[] body) throws Unreachable {
    HttpURLConnection connection = open(method, what, body);
    try {
      if (method.equals("POST")) {
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      if (status < 0) {
        throw new Unreachable("what it says is no HTTP");
      }
      return answer(fields(connection, status));
    } catch (SocketTimeoutException e) {
      if (!what.equals(CREATE)) {
        throw Unreachable.silent(patience);
      }
      throw new Refusal(
          "The master at "
              + address
              + " has not answered within "
              + READ_TIMEOUT.toSeconds()
              + " s; what was asked may still be done");
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      if (what.equals(CREATE)) { // another must not be asked for the same
        throw new Refusal(
            "The master at "
                + address
                + " broke off before it had answered ("
                + why
                + "); what was asked may have been done");
      }
      throw new Unreachable(why);
    } finally {
      connection.disconnect();
    }
  }

  private static Answer answer(Map<String, Object> fields) {
    String message = line(fields.getOrDefault("message", ""));
    Optional<Driver> driver =
        text(fields, "submissionId")
            .map(
                id ->
                    new Driver(
                        id,
                        text(fields, "driverState").map(RestMaster::state),
                        Driver.worker(text(fields, "workerId"), text(fields, "workerHostPort")),
                        text(fields, "exitCode").flatMap(RestMaster::number)));
    return new Answer(
        Boolean.TRUE.equals(fields.get("success")),
        message.startsWith(STANDBY),
        message,
        driver,
        Optional.of(
            "Server responded with " + line(fields.get("action")) + ":\n" + Json.write(fields)));
  }

  private static Optional<String> text(Map<String, Object> fields, String name) {
    return Optional.ofNullable(fields.get(name)).map(RestMaster::line);
  }

  private static DriverState state(String name) {
    return Stream.of(DriverState.values())
        .filter(known -> known.name().equals(name))
        .findFirst()
        .orElse(DriverState.UNKNOWN);
  }

  private static Optional<Integer> number(String text) {
    try {
      return Optional.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private HttpURLConnection open(String method, String what, byte[] body) throws Unreachable {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create(credentials.scheme() + "://" + address + PATH + what)
                  .toURL()
                  .openConnection();
      connection.setRequestMethod(method);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
      Duration answersWithin = what.equals(CREATE) ? READ_TIMEOUT : patience;
      connection.setReadTimeout((int) answersWithin.toMillis());
      connection.setRequestProperty("Content-Type", "application/json;charset=utf-8");
      credentials.show(connection, address, PATH + what, body);
      if (method.equals("POST")) {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length); // nor is it sent a second time
      }
      connection.connect();
      return connection;
    } catch (IOException | IllegalArgumentException e) {
      throw new Unreachable(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private Map<String, Object> fields(HttpURLConnection connection, int status)
      throws IOException, Unreachable {
    Map<String, Object> fields;
    try (InputStream in =
        status < CLIENT_ERRORS ? connection.getInputStream() : connection.getErrorStream()) {
      fields = in == null ? Map.of() : Json.read(in.readNBytes(MAX_ANSWER_BYTES));
    } catch (JsonProcessingException e) {
      throw new Unreachable("what it says is not of this protocol (HTTP " + status + ")");
    }
    Object action = fields.get("action");
    if (action == null) {
      throw new Unreachable("what it says is not of this protocol (HTTP " + status + ")");
    }
    if (action.equals("ErrorResponse")) {
      throw new Refusal(
          "The master at " + address + " refuses: " + line(fields.getOrDefault("message", "")));
    }
    return fields;
  }

  /// A stranger's words, on one line.
  private static String line(Object text) {
    return text.toString().lines().findFirst().orElse("");
  }
}
