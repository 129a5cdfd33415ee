package io.kiln.daemon.rest;

import java.util.List;
import java.util.Optional;

/// What a request asks for, by its method and path.
sealed interface GatewayRequest {
  record Create() implements GatewayRequest {}

  record Status(String submissionId) implements GatewayRequest {}

  record Kill(String submissionId) implements GatewayRequest {}

  record KillAll() implements GatewayRequest {}

  record Clear() implements GatewayRequest {}

  record Ready() implements GatewayRequest {}

  /// The path names no version, or one that nobody speaks here.
  ///
  /// @param answer to give
  record Astray(Answer answer) implements GatewayRequest {}

  int MAX_ID_CHARACTERS = 200;

  /// @param path as it was sent, without a query
  /// @throws Refused if it is the other method that this takes
  static GatewayRequest of(String method, String path) throws Refused {
    List<String> parts = List.of(path.substring(Math.min(1, path.length())).split("/", -1));
    boolean known =
        parts.size() > 2
            && parts.getFirst().equals(Answer.PROTOCOL)
            && parts.get(1).equals("submissions");
    String id = parts.size() == 4 ? parts.get(3) : "";
    if (!known || parts.size() > 4) {
      return new Astray(astray(parts));
    }
    return switch (parts.get(2)) {
      case "create" -> plain(method, "POST", id, new Create(), parts);
      case "killall" -> plain(method, "POST", id, new KillAll(), parts);
      case "clear" -> plain(method, "POST", id, new Clear(), parts);
      case "readyz" -> plain(method, "GET", id, new Ready(), parts);
      case "kill" -> {
        require(method, "POST");
        yield new Kill(requireId(id, "kill"));
      }
      case "status" -> {
        require(method, "GET");
        yield new Status(requireId(id, "status"));
      }
      default -> new Astray(astray(parts));
    };
  }

  private static GatewayRequest plain(
      String method, String wanted, String more, GatewayRequest route, List<String> parts)
      throws Refused {
    if (!more.isEmpty()) {
      return new Astray(astray(parts));
    }
    require(method, wanted);
    return route;
  }

  private static void require(String method, String wanted) throws Refused {
    if (!method.equals(wanted)) {
      throw new Refused(Answer.NO_SUCH_METHOD, "This takes " + wanted + " only.");
    }
  }

  private static String requireId(String id, String request) throws Refused {
    if (id.isEmpty()) {
      throw new Refused(Answer.BAD_REQUEST, "Submission ID is missing in " + request + " request.");
    }
    boolean plain = id.length() <= MAX_ID_CHARACTERS;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      plain &=
          (c >= '0' && c <= '9')
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || c == '-'
              || c == '_'
              || c == '.';
    }
    if (!plain) {
      throw new Refused(
          Answer.BAD_REQUEST,
          "A submission's ID has letters, digits, '-', '_' and '.' only, and "
              + MAX_ID_CHARACTERS
              + " of them at most.");
    }
    return id;
  }

  private static Answer astray(List<String> parts) {
    String version = parts.getFirst();
    String why;
    int status = Answer.BAD_REQUEST;
    if (version.isEmpty()) {
      why = "Missing protocol version.";
    } else if (!version.equals(Answer.PROTOCOL)) {
      why = "Unknown protocol version '" + shown(version) + "'.";
      status = Answer.OTHER_VERSION;
    } else if (parts.size() < 2 || !parts.get(1).equals("submissions")) {
      why = "Missing the /submissions prefix.";
    } else {
      why = "Missing an action: use one of /create, /kill, /killall, /clear, /status or /readyz.";
    }
    Answer answer =
        Answer.error(
            status,
            why
                + " Submit requests through http://[host]:[port]/"
                + Answer.PROTOCOL
                + "/submissions/...");
    return status == Answer.OTHER_VERSION
        ? answer.with("highestProtocolVersion", Optional.of(Answer.PROTOCOL))
        : answer;
  }

  private static String shown(String version) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(20, version.length()); i++) {
      char c = version.charAt(i);
      shown.append(c > ' ' && c <= '~' ? c : '?');
    }
    return shown.toString();
  }
}
