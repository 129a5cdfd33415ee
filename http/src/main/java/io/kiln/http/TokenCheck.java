package io.kiln.http;

import io.kiln.http.SignedClaims.Refused;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/// Believes each [RequestToken] once. Thread-safe.
///
/// The ids of those that were used are kept as long as they would be believed. What a server that
/// has just started has believed before, it does not know: tokens of before its start are few
/// seconds old, and what they ask for can be asked for once more.
public final class TokenCheck {
  static final int MAX_USED = 32_768;

  private static final String BEARER = "Bearer ";

  private record Used(Instant end, String id) {}

  private final SignedClaims key;
  private final HostNames names;
  private final int port;
  private final Clock clock;

  // guarded by this
  private final Set<String> ids = new HashSet<>();
  private final PriorityQueue<Used> used =
      new PriorityQueue<>((a, b) -> a.end().compareTo(b.end()));

  /// @param names by which the server may be meant
  /// @param port on which it listens
  public TokenCheck(SignedClaims key, HostNames names, int port, Clock clock) {
    this.key = key;
    this.names = names;
    this.port = port;
    this.clock = clock;
  }

  /// What a request brings.
  ///
  /// @throws Refused if it brings none
  public static String token(RequestHead head) throws Refused {
    String header =
        head.header("Authorization")
            .orElseThrow(() -> new Refused("Authorization header is missing."));
    if (!header.startsWith(BEARER)) {
      throw new Refused("Malformed Authorization header: it is not Bearer.");
    }
    return header.substring(BEARER.length()).strip();
  }

  /// Before the body is there. Uses nothing up.
  ///
  /// @throws Refused if the token isn't for this request
  public RequestToken require(String token, RequestHead head) throws Refused {
    Instant now = clock.instant();
    RequestToken read = RequestToken.read(key.require(token, now), now);
    if (!read.method().equals(head.method()) || !read.path().equals(head.path())) {
      throw new Refused("the token is for another request: " + read.method() + " " + read.path());
    }
    if (!names.meanExactly(read.audience(), port)) {
      throw new Refused(
          "the token is for another server, "
              + read.audience()
              + ": if it is this one, name it in spark.kiln.http.hosts there");
    }
    return read;
  }

  /// Uses it up.
  ///
  /// @throws Refused if it isn't for this body, or was used before
  public void use(RequestToken token, byte[] body) throws Refused {
    if (!token.isFor(body)) {
      throw new Refused("the token is for another body");
    }
    synchronized (this) {
      Instant now = clock.instant();
      while (!used.isEmpty() && used.peek().end().isBefore(now)) {
        ids.remove(used.remove().id());
      }
      if (ids.contains(token.id())) {
        throw new Refused("the token was used before");
      }
      if (ids.size() == MAX_USED) {
        throw new Refused("too many tokens were used within a short time; try again later");
      }
      ids.add(token.id());
      used.add(new Used(token.end(), token.id()));
    }
  }
}
