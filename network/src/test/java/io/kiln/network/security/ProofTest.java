package io.kiln.network.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.network.security.Proof.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProofTest {
  private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);

  private record Ends(SSLSession client, SSLSession server) {

    static Ends connect() throws IOException {
      SSLContext identity = ThrowawayIdentity.newContext();
      try (SSLServerSocket listening =
              (SSLServerSocket) identity.getServerSocketFactory().createServerSocket(0);
          SSLSocket client =
              (SSLSocket)
                  ThrowawayIdentity.newContext()
                      .getSocketFactory()
                      .createSocket("localhost", listening.getLocalPort());
          SSLSocket server = (SSLSocket) listening.accept()) {
        CompletableFuture<SSLSession> serverSide =
            CompletableFuture.supplyAsync(server::getSession);
        SSLSession clientSide = client.getSession();
        return new Ends(clientSide, serverSide.join());
      }
    }
  }

  @Test
  void bothEndsOfAConnectionBelieveEachOther() throws Exception {
    Ends ends = Ends.connect();
    assertThat(ends.client().getProtocol()).isEqualTo("TLSv1.3");
    Proof client = Proof.on(ends.client(), SECRET);
    Proof server = Proof.on(ends.server(), SECRET);
    assertThat(server.isOf(Side.CLIENT, client.of(Side.CLIENT))).isTrue();
    assertThat(client.isOf(Side.SERVER, server.of(Side.SERVER))).isTrue();
    assertThat(client.of(Side.CLIENT)).hasSize(Proof.BYTES);
  }

  @Test
  void aProofCanNotBeSentBack() throws Exception {
    Ends ends = Ends.connect();
    Proof client = Proof.on(ends.client(), SECRET);
    assertThat(client.isOf(Side.SERVER, client.of(Side.CLIENT))).isFalse();
  }

  /// A man in the middle has a connection to each side: what he hears on one proves nothing on the
  /// other.
  @Test
  void aProofIsWorthNothingOnAnotherConnection() throws Exception {
    Proof overheard = Proof.on(Ends.connect().client(), SECRET);
    Proof server = Proof.on(Ends.connect().server(), SECRET);
    assertThat(server.isOf(Side.CLIENT, overheard.of(Side.CLIENT))).isFalse();
  }

  @Test
  void anotherSecretIsNotBelieved() throws Exception {
    Ends ends = Ends.connect();
    Proof guess = Proof.on(ends.client(), "a guess".getBytes(StandardCharsets.UTF_8));
    Proof server = Proof.on(ends.server(), SECRET);
    assertThat(server.isOf(Side.CLIENT, guess.of(Side.CLIENT))).isFalse();
  }

  @Test
  void theCertificateIsOneThatOthersCanRead() throws Exception {
    X509Certificate certificate =
        (X509Certificate) Ends.connect().client().getPeerCertificates()[0];
    certificate.checkValidity();
    certificate.verify(certificate.getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=kiln process");
  }
}
