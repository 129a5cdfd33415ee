package io.kiln.network.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.network.security.Proof.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProofTest {
  private static final Credentials KNOWN =
      Credentials.ofAll("a secret".getBytes(StandardCharsets.UTF_8));
  private static final String NAME = "executor-1";

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
    Proof client = Proof.on(ends.client(), KNOWN);
    Proof server = Proof.on(ends.server(), KNOWN);
    assertThat(server.isOf(Side.CLIENT, NAME, client.of(Side.CLIENT, NAME))).isTrue();
    assertThat(client.isOf(Side.SERVER, NAME, server.of(Side.SERVER, NAME))).isTrue();
    assertThat(client.of(Side.CLIENT, NAME)).hasSize(Proof.BYTES);
  }

  @Test
  void aProofCanNotBeSentBack() throws Exception {
    Ends ends = Ends.connect();
    Proof client = Proof.on(ends.client(), KNOWN);
    assertThat(client.isOf(Side.SERVER, NAME, client.of(Side.CLIENT, NAME))).isFalse();
  }

  /// A man in the middle has a connection to each side: what he hears on one proves nothing on the
  /// other.
  @Test
  void aProofIsWorthNothingOnAnotherConnection() throws Exception {
    Proof overheard = Proof.on(Ends.connect().client(), KNOWN);
    Proof server = Proof.on(Ends.connect().server(), KNOWN);
    assertThat(server.isOf(Side.CLIENT, NAME, overheard.of(Side.CLIENT, NAME))).isFalse();
  }

  @Test
  void anotherSecretIsNotBelieved() throws Exception {
    Ends ends = Ends.connect();
    Proof guess =
        Proof.on(ends.client(), Credentials.ofAll("a guess".getBytes(StandardCharsets.UTF_8)));
    Proof server = Proof.on(ends.server(), KNOWN);
    assertThat(server.isOf(Side.CLIENT, NAME, guess.of(Side.CLIENT, NAME))).isFalse();
  }

  @Test
  void theCertificateIsOneThatOthersCanRead() throws Exception {
    X509Certificate certificate =
        (X509Certificate) Ends.connect().client().getPeerCertificates()[0];
    certificate.checkValidity();
    certificate.verify(certificate.getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=kiln process");
  }

  @Test
  void aProofIsOfOneNameOnly() throws Exception {
    Ends ends = Ends.connect();
    byte[] proof = Proof.on(ends.client(), KNOWN).of(Side.CLIENT, "application");
    Proof server = Proof.on(ends.server(), KNOWN);
    assertThat(server.isOf(Side.CLIENT, "application", proof)).isTrue();
    assertThat(server.isOf(Side.CLIENT, "worker", proof)).isFalse();
  }

  /// Who can believe a master can't pose as one.
  @Test
  void aSignatureIsBelievedByThoseWhoCanNotMakeIt() throws Exception {
    byte[] seed = new byte[32];
    SigningKey key = SigningKey.of(seed);
    assertThat(key.publicKey()).isEqualTo(SigningKey.of(new byte[32]).publicKey());
    Verifier master = SigningKey.verifier(key.publicKey());
    SharedKey own = new SharedKey("a worker's".getBytes(StandardCharsets.UTF_8));
    Credentials worker =
        new Credentials(
            own, name -> name.equals("master") ? Optional.of(master) : Optional.empty());
    Credentials masters =
        new Credentials(key, name -> name.equals("worker") ? Optional.of(own) : Optional.empty());
    Ends ends = Ends.connect();
    Proof client = Proof.on(ends.client(), worker);
    Proof server = Proof.on(ends.server(), masters);
    assertThat(server.isOf(Side.CLIENT, "worker", client.of(Side.CLIENT, "worker"))).isTrue();
    assertThat(client.isOf(Side.SERVER, "master", server.of(Side.SERVER, "master"))).isTrue();
    assertThat(client.of(Side.CLIENT, "worker")).hasSize(Proof.BYTES);
    assertThat(server.of(Side.SERVER, "master")).hasSize(Proof.BYTES);
    assertThat(client.isOf(Side.SERVER, "master", client.of(Side.SERVER, "master"))).isFalse();
    assertThat(client.isOf(Side.SERVER, "master", new byte[Proof.BYTES])).isFalse();
    assertThat(client.knows("worker")).isFalse();
  }
}
