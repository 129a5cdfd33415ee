package io.kiln.launcher.channel;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What the two ends of one channel know and nobody else: 256 random bits, good for one
/// application.
///
/// It shows in no text but that of [#reveal].
public final class ChannelSecret {

  static final int SIZE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] key;

  private ChannelSecret(byte[] key) {
    this.key = key;
  }

  public static ChannelSecret random() {
    return new ChannelSecret(randomBytes());
  }

  /// @param text as [#reveal] gave it
  /// @throws IllegalArgumentException if it cannot be a secret; the message doesn't repeat it
  public static ChannelSecret parse(String text) {
    if (text.length() != 2 * SIZE_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "a channel's secret has " + 2 * SIZE_BYTES + " hexadecimal digits, and this has not");
    }
    return new ChannelSecret(HexFormat.of().parseHex(text));
  }

  /// For the environment of the process that is to know it.
  public String reveal() {
    return HexFormat.of().formatHex(key);
  }

  static byte[] randomBytes() {
    byte[] bytes = new byte[SIZE_BYTES];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  /// What only those who know the secret can make of the parts (HMAC, RFC 2104, with SHA-256).
  byte[] proof(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /// Takes the same time wherever the two differ.
  boolean isProof(byte[] claimed, byte[]... parts) {
    return MessageDigest.isEqual(proof(parts), claimed);
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
