package io.kiln.daemon.rest;

import io.kiln.api.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What goes back to a client: an HTTP status and the fields of a message of the protocol.
record Answer(int status, Map<String, Object> fields) {
  static final String PROTOCOL = "v1";

  /// Of HTTP, and one more that this protocol has made up.
  static final int OK = 200;
  static final int BAD_REQUEST = 400;
  static final int FORBIDDEN = 403;
  static final int NO_SUCH_METHOD = 405;
  static final int TOO_LARGE = 413;
  static final int OTHER_VERSION = 468;
  static final int FAILED = 500;
  static final int UNAVAILABLE = 503;
  static final int NOT_IN_TIME = 504;

  /// @param action names the message
  /// @param message for people; may be empty
  static Answer of(String action, boolean success, String message) {
    Answer answer = of(OK, action, message);
    answer.fields.put("success", success);
    return answer;
  }

  static Answer error(int status, String message) {
    return of(status, "ErrorResponse", message);
  }

  private static Answer of(int status, String action, String message) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("action", action);
    fields.put("message", oneLine(message)); // some clients expect one, though it be empty
    fields.put("serverSparkVersion", Version.CURRENT);
    return new Answer(status, fields);
  }

  /// What isn't there leaves no field.
  Answer with(String field, Optional<String> value) {
    value.ifPresent(text -> fields.put(field, text));
    return this;
  }

  Answer withUnknown(List<String> unknownFields) {
    if (!unknownFields.isEmpty()) {
      fields.put("unknownFields", unknownFields);
    }
    return this;
  }

  Answer withStatus(int other) {
    return new Answer(other, fields);
  }

  private static String oneLine(String message) {
    return message.replace('\n', ' ').replace('\r', ' ');
  }
}
