package io.kiln.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An answer to a request.
///
/// @param headers besides those that all answers have
public record Response(int status, String type, byte[] body, Map<String, String> headers) {
  public static final int OK = 200;
  public static final int MOVED = 301;
  public static final int BAD_REQUEST = 400;
  public static final int FORBIDDEN = 403;
  public static final int NO_SUCH_PAGE = 404;
  public static final int NO_SUCH_METHOD = 405;
  public static final int TOO_LARGE = 413;
  public static final int LINE_TOO_LONG = 414;
  public static final int OTHER_HOST = 421;
  public static final int HEADERS_TOO_LARGE = 431;
  public static final int FAILED = 500;
  public static final int UNAVAILABLE = 503;

  /// @param type of the text, which is sent as UTF-8
  public static Response of(int status, String type, String text) {
    return new Response(
        status, type + ";charset=utf-8", text.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /// A line for people.
  public static Response line(int status, String text) {
    return of(status, "text/plain", text + "\n");
  }

  public Response with(String header, String value) {
    return new Response(status, type, body, Map.of(header, value));
  }
}
