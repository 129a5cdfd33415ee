package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an application's processes get to know of a cluster, and what a submission may ask for.
@Timeout(300)
class StandaloneSecretsTest {
  private static final String HIDDEN = "hidden-4711";

  @TempDir static Path directory;
  private static StandaloneCluster cluster;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("jars"));
    cluster = new StandaloneCluster(directory, ProbeJar.build(jars).application());
    url = cluster.startMaster();
    Result worker =
        cluster
            .script("start-worker.sh", "--cores", 2, "--memory", "1g", "--host", "127.0.0.1", url)
            .with("SPARK_WORKER_INSTANCES", 1)
            .with("SPARK_WORKER_WEBUI_PORT", 0)
            .with("OWN_PASSWORD", HIDDEN)
            .run();
    assertThat(worker.exitCode()).as("%s", worker).isZero();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.stop();
  }

  /// The secret, and each key that is made of it.
  private static List<String> secrets() throws IOException {
    List<String> secrets = new ArrayList<>(List.of(HIDDEN));
    for (String file : List.of("secret", "secret.worker.key", "secret.submit.key")) {
      secrets.add(Files.readString(directory.resolve(file)).lines().findFirst().orElseThrow());
    }
    return secrets;
  }

  @Test
  void anExecutorKnowsNothingOfTheClusterNorOfItsWorkersEnvironment() throws Exception {
    Result result = cluster.submit(url, List.of("-c", "spark.executorEnv.ASKED=for"), "look").run();

    assertThat(result.exitCode()).as("%s", result).isZero();
    List<String> lines = result.out().lines().toList();
    assertThat(lines.get(1)).as("the executor's").contains("ExecutorMain", "ASKED=for", "PATH=");
    assertThat(lines.get(1)).doesNotContain(secrets()).doesNotContain("_SPARK_");
    List<String> piped = lines.subList(2, lines.size());
    assertThat(piped).contains("ASKED=for").noneMatch(line -> line.startsWith("_SPARK_"));
  }

  @Test
  void aDriverOfTheClusterKnowsItsOwnKeyAloneAndLeavesNoSettings() throws Exception {
    Result result =
        cluster
            .submitToCluster(
                url,
                true,
                List.of("-c", "spark.authenticate.secret.x=1", "-c", "spark.kiln.driverEnv.A=b"),
                "look")
            .with("SPARK_SOME_PASSWORD", "hidden-4712")
            .with("SPARK_SUBMIT_OPTS", "-Dhidden=hidden-4713")
            .run();

    assertThat(result.exitCode()).as("%s", result).isZero();
    String id = result.err().replaceFirst("(?s).*created as (driver-[0-9-]+)\\..*", "$1");
    Path own = directory.resolve("work").resolve(id);
    String seen = Files.readString(own.resolve("stdout"));
    assertThat(seen.lines().findFirst().orElseThrow())
        .contains("A=b", "spark.kiln.driver.id=" + id, "spark.kiln.driver.secret=")
        .doesNotContain("hidden-471");
    assertThat(seen).doesNotContain(secrets());
    try (Stream<Path> left = Files.list(own)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".conf"));
    }
  }

  @Test
  void whatCanNotBeDoneIsRefusedInOneLineAndCostsNoCores() throws Exception {
    Result proxy =
        cluster.submitToCluster(url, false, List.of("--proxy-user", "somebody"), "sum").run();
    assertThat(proxy.exitCode()).isEqualTo(1);
    assertThat(proxy.err()).startsWith("Error: --proxy-user has no effect in cluster mode");

    Path settings = Files.writeString(directory.resolve("bad.conf"), "spark.executorEnv.A\\=B x\n");
    Result variable =
        cluster.submit(url, List.of("--properties-file", settings.toString()), "sum").run();
    assertThat(variable.exitCode()).isEqualTo(1);
    assertThat(variable.err()).contains("spark.executorEnv.A=B names no variable");
    String state = cluster.json(cluster.logOf(StandaloneCluster.MASTER_CLASS));
    assertThat(state.replace(" ", "")).contains("\"coresused\":0");
  }

  @Test
  void aSecretOnACommandLineIsWarnedOf() throws Exception {
    Result result =
        cluster.submit(url, List.of("-c", "spark.my.passphrase=hush-4711", "-v"), "sum").run();

    assertThat(result.exitCode()).as("%s", result).isZero();
    assertThat(result.err())
        .contains("Warning: --conf gives spark.my.passphrase on the command line")
        .contains("--properties-file")
        .doesNotContain("hush-4711");
  }
}
