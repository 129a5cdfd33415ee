package io.kiln.network.security;

import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// A key and a certificate that live as long as the process. TLS needs a certificate, but nobody
/// believes this one: who the other side is follows from its [Proof], which is bound to the
/// connection. So any certificate is accepted here, and nothing is sent before the proof.
public final class ThrowawayIdentity {
  /// Over the field that the usual key exchange, X25519, computes in too: the other usual curves
  /// would cost a process that has just started a quarter of a second more.
  private static final String SIGNATURE = "Ed25519";

  private ThrowawayIdentity() {}

  /// For both ends of connections.
  public static SSLContext newContext() {
    try {
      KeyPair keys = KeyPairGenerator.getInstance(SIGNATURE).generateKeyPair();
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(
          new KeyManager[] {new OneKey(keys.getPrivate(), List.of(selfSigned(keys)))},
          new TrustManager[] {new AnyPeer()},
          new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM can't make a TLS identity", e);
    }
  }

  /// The least that is an X.509 certificate (RFC 5280 section 4.1), version 1.
  private static X509Certificate selfSigned(KeyPair keys) throws GeneralSecurityException {
    byte[] algorithm = Der.sequence(Der.oid(0x2B, 0x65, 0x70)); // RFC 8410 section 3
    byte[] commonName = Der.sequence(Der.oid(0x55, 0x04, 0x03), Der.utf8String("kiln process"));
    byte[] name = Der.sequence(Der.set(commonName));
    byte[] validity =
        Der.sequence(
            Der.generalizedTime("20200101000000Z"), Der.generalizedTime("99991231235959Z"));
    byte[] body =
        Der.sequence(
            Der.integer(1), algorithm, name, validity, name, keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance(SIGNATURE);
    signature.initSign(keys.getPrivate());
    signature.update(body);
    byte[] certificate = Der.sequence(body, algorithm, Der.bitString(signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate));
  }

  private static final class AnyPeer extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
