package io.kiln.network.security;

import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// A process's own key and certificate, and those by which it verifies others. Read once, when the
/// process starts. Immutable, thread-safe.
///
/// The certificate of the side that listens is verified against the trust store, and with
/// `mutual` that of the side that connects too. No name in it is compared with that of a host:
/// processes move, and who they are follows from the [Proof].
///
/// @param protocol the one version of TLS
/// @param cipherSuites that may be used; without, those of this JVM
/// @param mutual whether the side that connects has to show a certificate too
public record Certificates(
    SSLContext context, String protocol, Optional<List<String>> cipherSuites, boolean mutual) {

  /// For one connection.
  public SSLEngine newEngine(Proof.Side side) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(side == Proof.Side.CLIENT);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {protocol});
    cipherSuites.ifPresent(suites -> parameters.setCipherSuites(suites.toArray(new String[0])));
    parameters.setNeedClientAuth(mutual && side == Proof.Side.SERVER);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
