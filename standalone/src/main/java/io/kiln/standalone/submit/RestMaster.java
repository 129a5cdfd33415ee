package io.kiln.standalone.submit;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kiln.launcher.Refusal;
import io.kiln.standalone.rest.BearerToken;
import io.kiln.standalone.rest.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// One master as it is asked over HTTP. Used by one thread.
///
/// @param address `HOST:PORT`
/// @param key that tokens are signed by, if there is one
record RestMaster(String address, Optional<byte[]> key) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /// Longer than a gateway waits for its master, so that its words are heard.
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(150);

  private static final Duration TOKEN_LIVES = Duration.ofMinutes(5);
  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final byte[] NO_BODY = {};
  private static final int CLIENT_ERRORS = 400;

  /// Nobody there takes submissions over HTTP; nothing has been done.
  static final class Unreachable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreachable(String why) {
      super(why, null, false, false);
    }
  }

  @Override
  public String toString() {
    return address;
  }

  Map<String, Object> create(Map<String, Object> request) throws Unreachable {
    return ask("POST", "create", Json.write(request).getBytes(StandardCharsets.UTF_8));
  }

  Map<String, Object> status(String submissionId) throws Unreachable {
    return ask("GET", "status/" + submissionId, NO_BODY);
  }

  Map<String, Object> kill(String submissionId) throws Unreachable {
    return ask("POST", "kill/" + submissionId, NO_BODY);
  }

  /// @return the fields of the answer, which is no error
  /// @throws Unreachable if it can't be connected to, or what it says is no answer of the protocol
  /// @throws Refusal if it refuses, or may have done it
  private Map<String, Object> ask(String method, String what, byte[] body) throws Unreachable {
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
      return fields(connection, status);
    } catch (SocketTimeoutException e) {
      throw new Refusal(
          "The master at "
              + address
              + " has not answered within "
              + READ_TIMEOUT.toSeconds()
              + " s; what was asked may still be done");
    } catch (IOException e) {
      throw new Unreachable(e.getMessage() == null ? e.toString() : e.getMessage());
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(String method, String what, byte[] body) throws Unreachable {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://" + address + "/v1/submissions/" + what).toURL().openConnection();
      connection.setRequestMethod(method);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
      connection.setReadTimeout((int) READ_TIMEOUT.toMillis());
      connection.setRequestProperty("Content-Type", "application/json;charset=utf-8");
      if (key.isPresent()) {
        String token = new BearerToken(key.get()).until(Instant.now().plus(TOKEN_LIVES));
        connection.setRequestProperty("Authorization", "Bearer " + token);
      }
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
  static String line(Object text) {
    return text.toString().lines().findFirst().orElse("");
  }
}
