package io.kiln.network.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/// Shows that one side of a TLS connection knows a shared secret, without showing the secret: an
/// HMAC-SHA256 over keying material that only the two ends of this very connection have (RFC 5705
/// and RFC 8446 section 7.5). Who sits in between has two connections with different material, so
/// he can't pass a proof on; and the two sides' proofs differ, so none can be sent back.
public final class Proof {
  public static final int BYTES = 32;

  private static final String EXPORTER_LABEL = "EXPORTER-kiln-authentication";
  private static final byte[] NO_CONTEXT = {};
  private static final String ALGORITHM = "HmacSHA256";

  /// The ends of a connection.
  public enum Side {
    CLIENT,
    SERVER
  }

  private final byte[] secret;
  private final byte[] connection;

  private Proof(byte[] secret, byte[] connection) {
    this.secret = secret;
    this.connection = connection;
  }

  /// @param session of a connection whose handshake is complete
  /// @throws SSLException if the session can't give what the proof is made of
  public static Proof on(SSLSession session, byte[] secret) throws SSLException {
    if (!(session instanceof ExtendedSSLSession extended)) {
      throw new SSLException("this TLS provider has no exporter of keying material");
    }
    return new Proof(
        secret.clone(), extended.exportKeyingMaterialData(EXPORTER_LABEL, NO_CONTEXT, BYTES));
  }

  /// @return what this side sends, [#BYTES] long
  public byte[] of(Side side) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(side.name().getBytes(StandardCharsets.US_ASCII));
      return mac.doFinal(connection);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /// Compares in a time that doesn't depend on the content.
  public boolean isOf(Side side, byte[] claimed) {
    return MessageDigest.isEqual(of(side), claimed);
  }
}
