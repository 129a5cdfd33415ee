package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.base.machine.Message;
import io.kiln.base.settings.Settings;
import io.kiln.network.security.CertificateLoader;
import io.kiln.network.security.Certificates;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.security.Protection.Certified;
import io.kiln.network.security.Stores;
import io.kiln.network.transport.Ground.Fetch;
import io.kiln.network.transport.Ground.Numbered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Connections between processes that have certificates of the user's own.
@Timeout(120)
class CertifiedTest {
  @TempDir private static Path directory;

  private static Path key;
  private static Path rsaKey;
  private static Path strangersKey;
  private static Path trust;
  private static Path everybody;

  private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

  @BeforeAll
  static void makeStores() throws Exception {
    Stores stores = new Stores(directory);
    key = stores.key("own");
    rsaKey = stores.key("own-rsa", "-keyalg", "RSA");
    strangersKey = stores.key("stranger");
    trust = stores.trust("trust", key, rsaKey);
    everybody = stores.trust("everybody", key, strangersKey);
  }

  /// @param more settings, each `name=value` without `spark.ssl.`
  private static Certificates certificates(Path keyStore, Path trustStore, String... more) {
    KilnConf conf =
        new KilnConf(false)
            .set("spark.ssl.keyStore", keyStore.toString())
            .set("spark.ssl.keyStorePassword", Stores.PASSWORD)
            .set("spark.ssl.trustStore", trustStore.toString())
            .set("spark.ssl.trustStorePassword", Stores.PASSWORD);
    for (String setting : more) {
      int equals = setting.indexOf('=');
      conf.set("spark.ssl." + setting.substring(0, equals), setting.substring(equals + 1));
    }
    return CertificateLoader.load(Settings.of(conf), _ -> Optional.empty());
  }

  private static Ground ground(Protection server, Protection client) {
    return new Ground(
        Ground.options("driver", server), Ground.options("executor-1", client), Ground.CODEC);
  }

  private void requireThatTheyTalk(Protection server, Protection client) throws Exception {
    try (Ground ground = ground(server, client)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      ground.server.serve((_, _) -> Content.OfBytes.of(new byte[100_000]));
      ground.client.link(ground.address).send("tasks", new Numbered(1, "good"));
      assertThat(Ground.next(received)).isEqualTo(new Numbered(1, "good"));
      try (ContentStream stream = ground.client.open(ground.address, new Fetch("x"))) {
        assertThat(stream.readAllBytes()).hasSize(100_000);
      }
    }
  }

  private static String refusal(Protection server, Protection client) throws Exception {
    try (Ground ground = ground(server, client)) {
      Link _ = ground.client.link(ground.address);
      String why = Ground.next(ground.clientHeard.closed);
      assertThat(ground.serverHeard.opened).isEmpty();
      assertThat(why).hasLineCount(1);
      return why;
    }
  }

  @Test
  void messagesAndStreamsArrive() throws Exception {
    Certified own = new Certified(certificates(key, trust), Ground.KNOWN);
    requireThatTheyTalk(own, own);
  }

  @Test
  void eachMayHaveACertificateOfItsOwn() throws Exception {
    requireThatTheyTalk(
        new Certified(certificates(key, trust, "needClientAuth=true"), Ground.KNOWN),
        new Certified(certificates(rsaKey, trust, "needClientAuth=true"), Ground.KNOWN));
  }

  @Test
  void theOlderTlsAndChosenAlgorithmsWorkToo() throws Exception {
    Certified older = new Certified(certificates(key, trust, "protocol=TLSv1.2"), Ground.KNOWN);
    requireThatTheyTalk(older, older);
    Certified rsa =
        new Certified(
            certificates(
                rsaKey,
                trust,
                "protocol=TLSv1.2",
                "enabledAlgorithms=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            Ground.KNOWN);
    requireThatTheyTalk(rsa, rsa);
    Certified chosen =
        new Certified(
            certificates(key, trust, "enabledAlgorithms=TLS_CHACHA20_POLY1305_SHA256"),
            Ground.KNOWN);
    requireThatTheyTalk(chosen, chosen);
    assertThat(refusal(older, chosen)).isNotEmpty();
  }

  @Test
  void withoutASecretCertificatesAreEnough() throws Exception {
    Certified own =
        new Certified(certificates(key, trust, "needClientAuth=true"), Optional.empty());
    requireThatTheyTalk(own, own);
  }

  @Test
  void aServerWhoseCertificateIsNotTrustedHearsNothing() throws Exception {
    Certified server = new Certified(certificates(strangersKey, everybody), Ground.KNOWN);
    Certified client = new Certified(certificates(key, trust), Ground.KNOWN);
    assertThat(refusal(server, client)).contains("its certificate is not to be believed");
  }

  @Test
  void aClientWhoseCertificateIsNotTrustedIsKeptOut() throws Exception {
    Certified server =
        new Certified(certificates(key, trust, "needClientAuth=true"), Optional.empty());
    Certified client = new Certified(certificates(strangersKey, everybody), Optional.empty());
    assertThat(refusal(server, client)).contains("certificate");
    assertThat(
            refusal(
                server,
                new Protection.Encrypted(Credentials.ofAll("x".getBytes(StandardCharsets.UTF_8)))))
        .isNotEmpty();
    assertThat(refusal(server, new Protection.None())).isNotEmpty();
  }

  @Test
  void aTrustedCertificateDoesNotReplaceTheSecret() throws Exception {
    Certificates own = certificates(key, trust, "needClientAuth=true");
    byte[] guess = "a guess".getBytes(StandardCharsets.UTF_8);
    assertThat(
            refusal(
                new Certified(own, Ground.KNOWN),
                new Certified(own, Optional.of(Credentials.ofAll(guess)))))
        .contains("secret");
    assertThat(refusal(new Certified(own, Ground.KNOWN), new Certified(own, Optional.empty())))
        .contains("secret");
  }
}
