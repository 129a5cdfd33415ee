package io.kiln.network.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CertificateLoaderTest {
  @TempDir private static Path directory;

  private static Stores stores;
  private static Path key;
  private static Path trust;
  private static Path other;

  private final KilnConf conf =
      new KilnConf(false)
          .set("spark.ssl.keyStore", key.toString())
          .set("spark.ssl.keyStorePassword", Stores.PASSWORD)
          .set("spark.ssl.trustStore", trust.toString())
          .set("spark.ssl.trustStorePassword", Stores.PASSWORD);

  @BeforeAll
  static void makeStores() throws Exception {
    stores = new Stores(directory);
    key = stores.key("own");
    other = stores.key("other", "-keyalg", "RSA");
    trust = stores.trust("trust", key);
  }

  private Certificates load() {
    return CertificateLoader.load(Settings.of(conf), _ -> Optional.empty());
  }

  private AbstractThrowableAssert<?, ?> assertRefused() {
    return assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            KilnException.class,
            e -> {
              assertThat(e.code()).isEqualTo("CERTIFICATES_UNUSABLE");
              assertThat(e.kind()).isEqualTo(KilnException.Kind.USER);
              assertThat(e.getMessage()).hasLineCount(1).doesNotContain(Stores.PASSWORD);
            });
  }

  @Test
  void readsWhatKeytoolMakes() {
    Certificates certificates = load();
    assertThat(certificates.protocol()).isEqualTo("TLSv1.3");
    assertThat(certificates.mutual()).isFalse();
    assertThat(certificates.newEngine(Proof.Side.SERVER).getEnabledProtocols())
        .containsExactly("TLSv1.3");
  }

  @Test
  void whatIsSetForConnectionsBetweenProcessesGoesFirst() {
    conf.set("spark.ssl.keyStore", "/nowhere").set("spark.ssl.rpc.keyStore", key.toString());
    conf.set("spark.ssl.needClientAuth", "false").set("spark.ssl.rpc.needClientAuth", "true");
    conf.set("spark.ssl.rpc.protocol", "tlsv1.2");
    Certificates certificates = load();
    assertThat(certificates.mutual()).isTrue();
    assertThat(certificates.newEngine(Proof.Side.SERVER).getNeedClientAuth()).isTrue();
    assertThat(certificates.newEngine(Proof.Side.CLIENT).getEnabledProtocols())
        .containsExactly("TLSv1.2");
  }

  @Test
  void whatIsSetForMastersAndWorkersGoesFirstInHttp() {
    conf.set("spark.ssl.keyStore", "/nowhere").set("spark.ssl.standalone.keyStore", key.toString());
    conf.set("spark.ssl.standalone.protocol", "tlsv1.2");
    assertThat(
            CertificateLoader.ofServer(Settings.of(conf))
                .newEngine(Proof.Side.SERVER)
                .getEnabledProtocols())
        .containsExactly("TLSv1.2");
    conf.remove("spark.ssl.standalone.keyStore");
    assertThatThrownBy(() -> CertificateLoader.ofServer(Settings.of(conf)))
        .hasMessageContaining("spark.ssl.keyStore=/nowhere");
  }

  @Test
  void passwordsMayBeInTheEnvironment() {
    conf.remove("spark.ssl.keyStorePassword").remove("spark.ssl.trustStorePassword");
    assertRefused();
    Map<String, String> secrets =
        Map.of(
            "_SPARK_SSL_RPC_KEY_STORE_PASSWORD", Stores.PASSWORD,
            "_SPARK_SSL_RPC_TRUST_STORE_PASSWORD", Stores.PASSWORD);
    assertThat(
            CertificateLoader.load(
                Settings.of(conf), name -> Optional.ofNullable(secrets.get(name))))
        .isNotNull();
  }

  @Test
  void readsPemFiles() throws Exception {
    Path certificate = stores.pemCertificate(key);
    conf.remove("spark.ssl.keyStore")
        .set("spark.ssl.certChain", certificate.toString())
        .set("spark.ssl.privateKey", stores.pemKey(key).toString())
        .set("spark.ssl.trustStore", certificate.toString())
        .set("spark.ssl.trustStoreType", "pem");
    load();
    conf.set("spark.ssl.privateKey", stores.encryptedPemKey(key).toString())
        .set("spark.ssl.privateKeyPassword", Stores.PASSWORD);
    load();

    conf.set("spark.ssl.privateKeyPassword", "a guess");
    assertRefused().hasMessageContaining("encrypted.pem").hasMessageContaining("its password");
    conf.remove("spark.ssl.privateKeyPassword");
    assertRefused().hasMessageContaining("no password is given");
    conf.set("spark.ssl.privateKey", stores.pemKey(other).toString());
    assertRefused().hasMessageContaining("its key is not that of the certificate of CN=own");
    conf.set("spark.ssl.privateKey", certificate.toString());
    assertRefused().hasMessageContaining("no -----BEGIN PRIVATE KEY----- in it");
    conf.remove("spark.ssl.privateKey");
    assertRefused()
        .hasMessageStartingWith("spark.ssl.certChain=" + certificate)
        .hasMessageContaining("no spark.ssl.privateKey");
    conf.remove("spark.ssl.certChain");
    assertRefused().hasMessageContaining("set spark.ssl.keyStore, or spark.ssl.privateKey");
  }

  @Test
  void aKeyOfAnOlderFormIsNamed() throws Exception {
    Path old =
        Files.writeString(
            directory.resolve("old.pem"),
            "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    Path damaged =
        Files.writeString(
            directory.resolve("damaged.pem"),
            "-----BEGIN PRIVATE KEY-----\nA?*AA\n-----END PRIVATE KEY-----\n");
    conf.remove("spark.ssl.keyStore")
        .set("spark.ssl.certChain", stores.pemCertificate(key).toString())
        .set("spark.ssl.privateKey", old.toString());
    assertRefused().hasMessageContaining("openssl pkcs8 -topk8");
    conf.set("spark.ssl.privateKey", damaged.toString());
    assertRefused().hasMessageContaining("PRIVATE KEY is damaged");
  }

  @Test
  void storesThatCanNotBeReadAreNamed() throws Exception {
    conf.set("spark.ssl.keyStore", "/nowhere/own.p12");
    assertRefused()
        .hasMessageStartingWith("spark.ssl.keyStore=/nowhere/own.p12 can't be used")
        .hasMessageContaining("there is no such file");
    Path text = Files.writeString(directory.resolve("text.p12"), "no store at all, only a text");
    conf.set("spark.ssl.keyStore", text.toString());
    assertRefused().hasMessageContaining("no store of type JKS");
    conf.set("spark.ssl.keyStore", directory.toString());
    assertRefused().hasMessageContaining(directory.toString());
    conf.set("spark.ssl.keyStore", key.toString()).set("spark.ssl.keyStoreType", "NONE-SUCH");
    assertRefused()
        .hasMessageContaining("NONE-SUCH")
        .hasMessageContaining("check spark.ssl.keyStoreType");
    conf.remove("spark.ssl.keyStoreType").remove("spark.ssl.trustStore");
    assertRefused().hasMessageContaining("set spark.ssl.trustStore");
    conf.set("spark.ssl.rpc.trustStore", "/nowhere/trust.p12");
    assertRefused().hasMessageStartingWith("spark.ssl.rpc.trustStore=/nowhere/trust.p12");
  }

  @Test
  void wrongPasswordsAreNamedAndNotShown() {
    conf.set("spark.ssl.keyStorePassword", "a-wrong-guess");
    assertRefused()
        .hasMessageContaining(key + " can't be used: its password is another")
        .hasMessageContaining("check spark.ssl.keyStorePassword")
        .hasMessageNotContaining("a-wrong-guess");
    conf.set("spark.ssl.keyStorePassword", Stores.PASSWORD)
        .set("spark.ssl.trustStorePassword", "a-wrong-guess");
    assertRefused()
        .hasMessageContaining(trust.toString())
        .hasMessageContaining("check spark.ssl.trustStorePassword")
        .hasMessageNotContaining("a-wrong-guess");
  }

  @Test
  void theKeyMayHaveAPasswordOfItsOwn() throws Exception {
    Path store = stores.key("two", "-storetype", "JKS", "-keypass", "another-0815");
    conf.set("spark.ssl.keyStore", store.toString())
        .set("spark.ssl.trustStore", stores.trust("trust-two", store).toString());
    assertRefused()
        .hasMessageContaining("password of its key two")
        .hasMessageContaining("keyPassword");
    conf.set("spark.ssl.keyPassword", "another-0815");
    assertThat(load()).isNotNull();
  }

  @Test
  void storesThatHoldSomethingElseAreNamed() {
    conf.set("spark.ssl.keyStore", trust.toString());
    assertRefused()
        .hasMessageStartingWith("spark.ssl.keyStore=" + trust)
        .hasMessageContaining("no private key");
    conf.set("spark.ssl.keyStore", key.toString()).set("spark.ssl.trustStore", key.toString());
    assertRefused()
        .hasMessageStartingWith("spark.ssl.trustStore=" + key)
        .hasMessageContaining("no certificate in it that is trusted");
  }

  @Test
  void certificatesOfAnotherTimeAreNamed() throws Exception {
    Path expired = stores.key("expired", "-startdate", "-3d", "-validity", "1");
    conf.set("spark.ssl.keyStore", expired.toString());
    assertRefused()
        .hasMessageStartingWith("spark.ssl.keyStore=" + expired)
        .hasMessageContaining("CN=expired expired on");
    conf.set("spark.ssl.keyStore", stores.key("early", "-startdate", "+3d").toString());
    assertRefused().hasMessageContaining("CN=early is not valid before");
  }

  @Test
  void aCertificateThatTheTrustStoreDoesNotKnowIsNamed() {
    conf.set("spark.ssl.keyStore", other.toString());
    assertRefused()
        .hasMessageStartingWith("spark.ssl.trustStore=" + trust)
        .hasMessageContaining("certificate of CN=other");
  }

  @Test
  void unknownAlgorithmsAreNamed() {
    conf.set("spark.ssl.enabledAlgorithms", "TLS_AES_256_GCM_SHA384,TLS_ROT13");
    assertRefused()
        .hasMessageStartingWith("spark.ssl.enabledAlgorithms=")
        .hasMessageContaining("no cipher suite TLS_ROT13");
    conf.set("spark.ssl.enabledAlgorithms", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
    assertRefused().hasMessageContaining("none of them works with TLSv1.3");
    conf.set("spark.ssl.enabledAlgorithms", "TLS_AES_256_GCM_SHA384");
    assertThat(load().newEngine(Proof.Side.CLIENT).getEnabledCipherSuites())
        .containsExactly("TLS_AES_256_GCM_SHA384");
    conf.set("spark.ssl.protocol", "SSLv3");
    assertThatThrownBy(this::load)
        .hasMessageContaining("spark.ssl.protocol")
        .hasMessageContaining("TLSv1.3");
  }
}
