package io.kiln.programs.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ClusterSettingsTest {
  @TempDir private Path scratch;

  private KilnConf conf() {
    return Clusters.conf("local-cluster[1,2,256]", scratch);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    Clusters.removeOutputsOfLost(scratch);
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left.filter(file -> !file.endsWith("secret"))).isEmpty();
    }
  }

  private static List<String> seen(KilnConf conf, String property) {
    try (KilnContext context = KilnContext.create(conf)) {
      return context
          .range(0, 2, 1, 2)
          .map(_ -> String.valueOf(System.getProperty(property)))
          .distinct()
          .collect();
    }
  }

  @Test
  void optionsReachTheExecutorsJvmWithTheirQuotes() {
    assertThat(
            seen(
                conf()
                    .set(
                        "spark.executor.extraJavaOptions",
                        "-Dkiln.test='a b \"c\"' -XX:+UseSerialGC"),
                "kiln.test"))
        .containsExactly("a b \"c\"");
  }

  @Test
  void withoutAuthenticationItRunsToo() {
    assertThat(seen(conf().set("spark.authenticate", "false"), "java.specification.version"))
        .containsExactly("25");
  }

  @Test
  void withoutEncryptionTheSecretIsStillProved() throws Exception {
    KilnConf conf =
        conf()
            .set("spark.network.crypto.enabled", "false")
            .set("spark.authenticate.secret", "sesame-7261");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThat(
              context
                  .range(0, 100, 1, 4)
                  .mapToPair(i -> Pair.of(i % 3, 1))
                  .reduceByKey(Integer::sum, 2)
                  .count())
          .isEqualTo(3);
      ProcessHandle executor = Clusters.processes(context).getFirst();
      int port = Sockets.listeningPorts(executor).getFirst();
      assertThat(Acquaintance.isMade(port, proven(Clusters.secretOf(context).getBytes(UTF_8))))
          .isTrue();
      assertThat(Acquaintance.isMade(port, proven("sesame-7261".getBytes(UTF_8)))).isFalse();
      assertThat(Acquaintance.isMade(port, new Protection.None())).isFalse();
    }
  }

  private static Protection proven(byte[] secret) {
    return new Protection.Proven(Credentials.ofAll(secret));
  }

  /// The secret that the settings give is a cluster's: an application has one of its own.
  @Test
  void noExecutorHoldsASecretThatWasGiven() {
    try (KilnContext context =
        KilnContext.create(
            conf()
                .set("spark.authenticate.secret", "sesame-7261")
                .set("spark.kiln.driver.secret", "sesame-7261"))) {
      List<String> seen =
          context
              .range(0, 2, 1, 2)
              .map(
                  _ ->
                      Files.readString(Path.of("/proc/self/cmdline"))
                          + Files.readString(Path.of("/proc/self/environ"))
                          + System.getProperties())
              .collect();
      assertThat(seen).allMatch(text -> text.contains("ExecutorMain"));
      assertThat(seen).noneMatch(text -> text.contains("sesame-7261"));
    }
  }

  @Test
  void executorsHaveTheVariablesThatAreAskedForAndNoOthersAreTaken() {
    KilnConf asked = conf().set("spark.executorEnv.ASKED_FOR", "a=b c");
    try (KilnContext context = KilnContext.create(asked)) {
      assertThat(context.range(0, 1, 1, 1).map(_ -> System.getenv("ASKED_FOR")).collect())
          .containsExactly("a=b c");
    }
    for (String name : List.of("A=B", "", "A\0")) {
      KilnConf bad = conf().set("spark.executorEnv." + name, "x");
      assertThatThrownBy(() -> KilnContext.create(bad))
          .hasMessageContaining("names no variable")
          .hasMessageContaining("spark.executorEnv.");
    }
    KilnConf badValue = conf().set("spark.executorEnv.A", "x\0y");
    assertThatThrownBy(() -> KilnContext.create(badValue)).hasMessageContaining("zero character");
  }

  @Test
  void anExecutorLargerThanAWorkerIsRefusedAtOnce() {
    assertThatThrownBy(() -> KilnContext.create(conf().set("spark.executor.memory", "1g")))
        .hasMessageContaining("1024 MiB")
        .hasMessageContaining("256 MiB");
    assertThatThrownBy(() -> KilnContext.create(conf().set("spark.executor.cores", "3")))
        .hasMessageContaining("3")
        .hasMessageContaining("2 cores");
  }

  @Test
  void anOptionThatNoJvmTakesFailsTheJobAndIsNamed() {
    KilnConf conf = conf().set("spark.executor.extraJavaOptions", "-XX:+NoSuchOption");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThatThrownBy(() -> context.range(0, 2, 1, 2).count())
          .hasMessageContaining("NoSuchOption");
    }
  }

  @Test
  void aPortThatIsTakenEndsTheStartAndLeavesNothing() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
      KilnConf conf =
          conf()
              .set("spark.driver.port", Integer.toString(taken.getLocalPort()))
              .set("spark.port.maxRetries", "0");
      assertThatThrownBy(() -> KilnContext.create(conf))
          .hasMessageContaining("spark.port.maxRetries")
          .hasMessageContaining(Integer.toString(taken.getLocalPort()));
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(thread)
          && (thread.getName().startsWith("kiln-network")
              || thread.getName().startsWith("driver-machines"))) {
        assertThat(thread.join(Duration.ofSeconds(20))).as(thread.getName()).isTrue();
      }
    }
  }

  @Test
  void driverAndExecutorsFindEachOtherByIpv6() {
    KilnConf conf = conf().set("spark.driver.host", "::1");
    try (KilnContext context = KilnContext.create(conf)) {
      assertThat(
              context
                  .range(0, 100, 1, 4)
                  .mapToPair(i -> Pair.of(i % 3, 1))
                  .reduceByKey(Integer::sum, 2)
                  .count())
          .isEqualTo(3);
    }
  }

  @Test
  void whatIsTooLargeForAMessageEitherGoesOtherwiseOrFailsItsJobAlone() {
    KilnConf conf =
        conf().set("spark.rpc.message.maxSize", "1").set("spark.task.maxDirectResultSize", "10m");
    try (KilnContext context = KilnContext.create(conf)) {
      byte[] captured = new byte[900_000];
      assertThat(context.range(0, 4, 1, 4).map(_ -> captured.length).collect())
          .containsOnly(900_000);
      assertThat(context.range(0, 40, 1, 40).map(_ -> new byte[700_000]).count()).isEqualTo(40);
      assertThat(context.range(0, 40, 1, 40).map(_ -> new byte[700_000]).collect()).hasSize(40);
      assertThatThrownBy(() -> context.range(0, 2, 1, 2).map(_ -> new byte[2_000_000]).collect())
          .hasMessageContaining("spark.rpc.message.maxSize");
      assertThatThrownBy(() -> context.parallelize(List.of(new byte[2_000_000]), 1).count())
          .hasMessageContaining("spark.rpc.message.maxSize");
      assertThat(context.range(0, 10, 1, 2).count()).isEqualTo(10);
    }
  }
}
