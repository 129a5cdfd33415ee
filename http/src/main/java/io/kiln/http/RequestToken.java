package io.kiln.http;

import io.kiln.http.SignedClaims.Refused;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A token for one request: its claims name the server (`aud`, as the client has named it), the
/// method and the path (`htm` and `htu`, as in RFC 9449), the body (`bod`, its SHA-256), an id of
/// its own (`jti`) and an end that is near (`exp`). Whoever comes by it can do nothing with it but
/// what was asked for anyway, there, once.
///
/// @param id that no other token has
/// @param end after which it is not believed
/// @param bodyHash in hexadecimal digits
public record RequestToken(
    String id, Instant end, String audience, String method, String path, String bodyHash) {

  /// From its making to its end.
  public static final Duration LIFE = Duration.ofSeconds(30);

  /// By how much the clocks of two hosts may differ.
  static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(30);

  private static final int ID_BYTES = 16;
  private static final int MAX_ID_CHARACTERS = 64;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// A new one.
  ///
  /// @param audience `host:port`, as the client names the server
  /// @param path as it is sent
  public static RequestToken of(
      String audience, String method, String path, byte[] body, Instant now) {
    byte[] id = new byte[ID_BYTES];
    RANDOM.nextBytes(id);
    return new RequestToken(
        Base64.getUrlEncoder().withoutPadding().encodeToString(id),
        now.plus(LIFE),
        audience,
        method,
        path,
        hash(body));
  }

  public String sign(SignedClaims signing) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("exp", new Json.NumberText(Long.toString(end.getEpochSecond())));
    claims.put("jti", id);
    claims.put("aud", audience);
    claims.put("htm", method);
    claims.put("htu", path);
    claims.put("bod", bodyHash);
    return signing.sign(claims);
  }

  /// @throws Refused if something is missing, or the token would live for long
  static RequestToken read(Map<String, Object> claims, Instant now) throws Refused {
    Optional<Long> end = SignedClaims.seconds(claims, "exp");
    if (end.isEmpty()) {
      throw new Refused("the token has no exp: it would be good for ever");
    }
    Duration most = LIFE.plus(CLOCK_DIFFERENCE);
    if (end.get() > now.plus(most).getEpochSecond()) {
      throw new Refused(
          "the token is good for more than " + LIFE.toSeconds() + " s: it is " + now + " here");
    }
    String id = text(claims, "jti");
    if (id.length() > MAX_ID_CHARACTERS) {
      throw new Refused("the token's jti is too long");
    }
    return new RequestToken(
        id,
        Instant.ofEpochSecond(end.get()),
        text(claims, "aud"),
        text(claims, "htm"),
        text(claims, "htu"),
        text(claims, "bod"));
  }

  private static String text(Map<String, Object> claims, String name) throws Refused {
    if (claims.get(name) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw new Refused("the token has no " + name + ": it must be for one request");
  }

  /// In hexadecimal digits.
  static String hash(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// Whether it is for this body; compared in a time that doesn't depend on the content.
  boolean isFor(byte[] body) {
    return MessageDigest.isEqual(
        hash(body).getBytes(StandardCharsets.US_ASCII),
        bodyHash.getBytes(StandardCharsets.US_ASCII));
  }
}
