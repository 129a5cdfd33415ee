package io.kiln.programs.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.SettingsCheck;
import io.kiln.network.security.CertificateLoader;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import io.kiln.network.security.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `spark.ssl.*` with executors that are processes.
@Timeout(180)
class OwnCertificatesTest {

  @TempDir private static Path keys;

  private static Path own;
  private static Path strangers;
  private static Path trust;
  private static Path everybody;

  @TempDir private Path scratch;

  @BeforeAll
  static void makeStores() throws Exception {
    Stores stores = new Stores(keys);
    own = stores.key("own");
    strangers = stores.key("stranger");
    trust = stores.trust("trust", own);
    everybody = stores.trust("everybody", own, strangers);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    Clusters.removeOutputsOfLost(scratch);
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  private static KilnConf certified(KilnConf conf, Path keyStore, Path trustStore) {
    return conf.set("spark.ssl.rpc.enabled", "true")
        .set("spark.ssl.keyStore", keyStore.toString())
        .set("spark.ssl.keyStorePassword", Stores.PASSWORD)
        .set("spark.ssl.rpc.trustStore", trustStore.toString())
        .set("spark.ssl.rpc.trustStorePassword", Stores.PASSWORD)
        .set("spark.ssl.needClientAuth", "true");
  }

  private KilnConf conf() {
    return certified(Clusters.conf("local-cluster[2,1,256]", scratch), own, trust);
  }

  private static Protection protection(Path keyStore, Path trustStore, byte[] secret) {
    return new Protection.Certified(
        CertificateLoader.load(
            Settings.of(certified(new KilnConf(false), keyStore, trustStore)),
            _ -> Optional.empty()),
        Optional.of(Credentials.ofAll(secret)));
  }

  private static void requireThatItWorks(KilnContext context) {
    assertThat(
            context
                .range(0, 100, 1, 4)
                .mapToPair(i -> Pair.of(i % 3, 1))
                .reduceByKey(Integer::sum, 2)
                .count())
        .isEqualTo(3);
  }

  @Test
  void executorsWorkAndStrangersAreKeptOut() throws Exception {
    try (KilnContext context = KilnContext.create(conf())) {
      requireThatItWorks(context);
      ProcessHandle executor = Clusters.processes(context).getFirst();
      int port = Sockets.listeningPorts(executor).getFirst();
      byte[] secret = Clusters.secretOf(context).getBytes(UTF_8);
      assertThat(Acquaintance.isMade(port, protection(own, trust, secret))).isTrue();
      assertThat(Acquaintance.isMade(port, protection(own, trust, "a guess".getBytes(UTF_8))))
          .isFalse();
      assertThat(Acquaintance.isMade(port, protection(strangers, everybody, secret))).isFalse();
      assertThat(Acquaintance.isMade(port, new Protection.Encrypted(Credentials.ofAll(secret))))
          .isFalse();
      assertThat(Acquaintance.isMade(port, new Protection.None())).isFalse();
      requireThatItWorks(context);
    }
  }

  @Test
  void withoutASecretCertificatesAreEnough() {
    try (KilnContext context =
        KilnContext.create(
            conf().set("spark.authenticate", "false").set("spark.ssl.protocol", "TLSv1.2"))) {
      requireThatItWorks(context);
    }
  }

  @Test
  void passwordsAreOnNoCommandLineAndInNoPropertyNorVariableOfAnExecutor() {
    try (KilnContext context = KilnContext.create(conf())) {
      List<String> seen =
          context
              .range(0, 2, 1, 2)
              .map(
                  _ ->
                      Files.readString(Path.of("/proc/self/cmdline"))
                          + System.getProperties()
                          + Files.readString(Path.of("/proc/self/environ")))
              .collect();
      assertThat(seen).allMatch(text -> text.contains("-Dspark.ssl.rpc.keyStore=" + own));
      assertThat(seen).noneMatch(text -> text.contains(Stores.PASSWORD));
    }
  }

  @Test
  void badInputEndsTheStartInOneLine() {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    KilnConf wrong = conf().set("spark.ssl.keyStorePassword", "a-wrong-guess");
    assertThatThrownBy(() -> KilnContext.create(wrong))
        .hasMessage(
            "spark.ssl.keyStore="
                + own
                + " can't be used: its password is another; check spark.ssl.keyStorePassword");
    KilnConf unknown = conf().set("spark.ssl.keyStore", strangers.toString());
    assertThatThrownBy(() -> KilnContext.create(unknown))
        .hasMessageStartingWith("spark.ssl.rpc.trustStore=" + trust)
        .hasMessageContaining("CN=stranger");
    assertThat(ProcessHandle.current().children().toList()).isEqualTo(before);
  }

  @Test
  void spellingIsLookedAt() {
    assertThat(SettingsCheck.warnings(Settings.of(conf().set("spark.ssl.rpc.trustStor", "x"))))
        .containsExactly(
            "spark.ssl.rpc.trustStor is not a known setting; did you mean"
                + " spark.ssl.rpc.trustStore?");
  }
}
