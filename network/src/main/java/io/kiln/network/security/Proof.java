package io.kiln.network.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/// Shows that one side of a connection is who it says, without showing the key: a proof, by the
/// key, of what belongs to this very connection, of the side and of the name under which it
/// introduces itself. The two sides' proofs differ, so none can be sent back.
///
/// With TLS it is keying material that only the two ends have (RFC 5705 and RFC 8446 section 7.5):
/// who sits in between has two connections with different material, so he can't pass a proof on.
/// Without, it is a number from each side that it uses once: who overhears a proof can't use it
/// later, but who sits in between can pass both sides' on, and take the connection over.
public final class Proof {
  public static final int BYTES = 64;

  /// Of the number that each side makes for one connection without TLS.
  public static final int NONCE_BYTES = 32;

  private static final int MATERIAL_BYTES = 32;
  private static final String EXPORTER_LABEL = "EXPORTER-kiln-authentication";
  private static final byte[] NONCES_LABEL =
      "kiln-authentication-by-nonces".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO_CONTEXT = {};

  /// The ends of a connection.
  public enum Side {
    CLIENT,
    SERVER
  }

  private final Credentials credentials;
  private final byte[] connection;

  private Proof(Credentials credentials, byte[] connection) {
    this.credentials = credentials;
    this.connection = connection;
  }

  /// @param session of a connection whose handshake is complete
  /// @throws SSLException if the session can't give what the proof is made of
  public static Proof on(SSLSession session, Credentials credentials) throws SSLException {
    if (!(session instanceof ExtendedSSLSession extended)) {
      throw new SSLException("this TLS provider has no exporter of keying material");
    }
    return new Proof(
        credentials, extended.exportKeyingMaterialData(EXPORTER_LABEL, NO_CONTEXT, MATERIAL_BYTES));
  }

  /// On a connection without TLS.
  ///
  /// @param clientNonce random, made by the client for this connection; [#NONCE_BYTES] long
  /// @param serverNonce the same of the server
  public static Proof on(byte[] clientNonce, byte[] serverNonce, Credentials credentials) {
    byte[] connection =
        ByteBuffer.allocate(NONCES_LABEL.length + 2 * NONCE_BYTES)
            .put(NONCES_LABEL)
            .put(clientNonce, 0, NONCE_BYTES)
            .put(serverNonce, 0, NONCE_BYTES)
            .array();
    return new Proof(credentials, connection);
  }

  /// @param name under which this side introduces itself
  /// @return what this side sends, [#BYTES] long
  public byte[] of(Side side, String name) {
    return credentials.own().prove(statement(side, name));
  }

  /// Whether the other side may be here under this name at all.
  public boolean knows(String name) {
    return credentials.others().apply(name).isPresent();
  }

  /// @param name under which the other side introduced itself
  public boolean isOf(Side side, String name, byte[] claimed) {
    Optional<Verifier> verifier = credentials.others().apply(name);
    return verifier.isPresent() && verifier.get().believes(statement(side, name), claimed);
  }

  /// Sides differ in their letters, and the connection's part has one length for each kind.
  private byte[] statement(Side side, String name) {
    byte[] sideBytes = side.name().getBytes(StandardCharsets.US_ASCII);
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(sideBytes.length + connection.length + nameBytes.length)
        .put(sideBytes)
        .put(connection)
        .put(nameBytes)
        .array();
  }
}
