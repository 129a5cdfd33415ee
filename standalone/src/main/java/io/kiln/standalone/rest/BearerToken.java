package io.kiln.standalone.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A JSON Web Token (RFC 7519) signed by HMAC-SHA256: who has one knows the cluster's secret, or
/// was given it by somebody who does. Immutable, thread-safe.
public final class BearerToken {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final int MAX_CHARACTERS = 8192;

  /// Says why a token isn't believed, for people.
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
      super(why);
    }
  }

  private final byte[] key;

  /// @param key the cluster's secret
  public BearerToken(byte[] key) {
    this.key = key.clone();
  }

  /// A token that is believed until then.
  public String until(Instant end) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("exp", new Json.NumberText(Long.toString(end.getEpochSecond())));
    String signed = encoded(HEADER) + "." + encoded(Json.write(claims));
    return signed + "." + ENCODER.encodeToString(signature(signed));
  }

  /// @throws Refused if it isn't signed by the key, or of another time
  void require(String token, Instant now) throws Refused {
    int first = token.indexOf('.');
    int last = token.lastIndexOf('.');
    if (first < 0 || last == first || token.length() > MAX_CHARACTERS) {
      throw new Refused("the token is no JSON Web Token");
    }
    String signed = token.substring(0, last);
    byte[] claimed = decoded(token.substring(last + 1));
    // first of all: nothing is read that a stranger has written
    if (!MessageDigest.isEqual(signature(signed), claimed)) {
      throw new Refused("the token is not signed by the cluster's secret");
    }
    Map<String, Object> header = object(signed.substring(0, first));
    if (!"HS256".equals(header.get("alg")) || header.containsKey("crit")) {
      throw new Refused("the token is not of the kind HS256");
    }
    Map<String, Object> claims = object(signed.substring(first + 1));
    if (now.getEpochSecond() >= seconds(claims, "exp", Long.MAX_VALUE)) {
      throw new Refused("the token has expired");
    }
    if (now.getEpochSecond() < seconds(claims, "nbf", Long.MIN_VALUE)) {
      throw new Refused("the token is not valid yet");
    }
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

  private static long seconds(Map<String, Object> claims, String name, long otherwise)
      throws Refused {
    Object value = claims.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return (long) Double.parseDouble(((Json.NumberText) value).text());
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
