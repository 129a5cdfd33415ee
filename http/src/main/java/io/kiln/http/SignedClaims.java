package io.kiln.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// JSON Web Tokens (RFC 7519) signed by HMAC-SHA256 with one key. Immutable, thread-safe.
public final class SignedClaims {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int MAX_CHARACTERS = 8192;

  /// Says why a token isn't believed, for people.
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    public Refused(String why) {
      super(why);
    }
  }

  private final byte[] key;
  private final String keyName;

  /// @param keyName for people, as in `the cluster's secret`
  public SignedClaims(byte[] key, String keyName) {
    this.key = key.clone();
    this.keyName = keyName;
  }

  String sign(Map<String, ?> claims) {
    String signed = encoded(HEADER) + "." + encoded(Json.write(claims));
    return signed + "." + ENCODER.encodeToString(signature(signed));
  }

  /// The claims of a token that is signed by the key, and not of another time.
  ///
  /// @throws Refused if it isn't
  public Map<String, Object> require(String token, Instant now) throws Refused {
    int first = token.indexOf('.');
    int last = token.lastIndexOf('.');
    if (first < 0 || last == first || token.length() > MAX_CHARACTERS) {
      throw new Refused("the token is no JSON Web Token");
    }
    String signed = token.substring(0, last);
    byte[] claimed = decoded(token.substring(last + 1));
    // first of all: nothing is read that a stranger has written
    if (!MessageDigest.isEqual(signature(signed), claimed)) {
      throw new Refused("the token is not signed by " + keyName);
    }
    Map<String, Object> header = object(signed.substring(0, first));
    if (!"HS256".equals(header.get("alg")) || header.containsKey("crit")) {
      throw new Refused("the token is not of the kind HS256");
    }
    Map<String, Object> claims = object(signed.substring(first + 1));
    Optional<Long> end = seconds(claims, "exp");
    if (end.isPresent() && now.getEpochSecond() >= end.get()) {
      throw new Refused("the token has expired: it is " + now + " here");
    }
    Optional<Long> begin = seconds(claims, "nbf");
    if (begin.isPresent() && now.getEpochSecond() < begin.get()) {
      throw new Refused("the token is not valid yet: it is " + now + " here");
    }
    return claims;
  }

  private byte[] signature(String signed) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(signed.getBytes(StandardCharsets.ISO_8859_1));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// @return empty if there is none
  static Optional<Long> seconds(Map<String, Object> claims, String name) throws Refused {
    Object value = claims.get(name);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of((long) Double.parseDouble(((Json.NumberText) value).text()));
    } catch (ClassCastException | NumberFormatException e) {
      throw new Refused("the token's " + name + " is no time");
    }
  }

  private static Map<String, Object> object(String part) throws Refused {
    try {
      return Json.read(decoded(part));
    } catch (JsonProcessingException e) {
      throw new Refused("the token holds no JSON");
    }
  }

  private static byte[] decoded(String part) throws Refused {
    try {
      return Base64.getUrlDecoder().decode(part);
    } catch (IllegalArgumentException e) {
      throw new Refused("the token is no JSON Web Token");
    }
  }

  private static String encoded(String part) {
    return ENCODER.encodeToString(part.getBytes(StandardCharsets.UTF_8));
  }
}
