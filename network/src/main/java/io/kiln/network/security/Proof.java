package io.kiln.network.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/// Shows that one side of a connection knows a shared secret, without showing the secret: an
/// HMAC-SHA256 over what belongs to this very connection. The two sides' proofs differ, so none can
/// be sent back.
///
/// With TLS it is keying material that only the two ends have (RFC 5705 and RFC 8446 section 7.5):
/// who sits in between has two connections with different material, so he can't pass a proof on.
/// Without, it is a number from each side that it uses once: who overhears a proof can't use it
/// later, but who sits in between can pass both sides' on, and take the connection over.
public final class Proof {
  public static final int BYTES = 32;

  /// Of the number that each side makes for one connection without TLS.
  public static final int NONCE_BYTES = 32;

  private static final String EXPORTER_LABEL = "EXPORTER-kiln-authentication";
  private static final byte[] NONCES_LABEL =
      "kiln-authentication-by-nonces".getBytes(StandardCharsets.US_ASCII);
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

  /// On a connection without TLS.
  ///
  /// @param clientNonce random, made by the client for this connection; [#NONCE_BYTES] long
  /// @param serverNonce the same of the server
  public static Proof on(byte[] clientNonce, byte[] serverNonce, byte[] secret) {
    byte[] connection =
        ByteBuffer.allocate(NONCES_LABEL.length + 2 * NONCE_BYTES)
            .put(NONCES_LABEL)
            .put(clientNonce, 0, NONCE_BYTES)
            .put(serverNonce, 0, NONCE_BYTES)
            .array();
    return new Proof(secret.clone(), connection);
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
