package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.dist.Command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What the processes of a cluster say to each other while one SparkPi runs in cluster mode,
/// compared with the sequence that `docs/standalone-messages.md` documents. The master takes part
/// in all of it, so its log has the order.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class StandaloneSequenceTest {
  private static final Pattern MESSAGE =
      Pattern.compile("messages: (from|to) \\S+: (\\w+)", Pattern.MULTILINE);
  private static final Pattern DOCUMENTED = Pattern.compile("^\\d+\\. `(\\w+)`", Pattern.MULTILINE);

  /// Said again and again, in no order.
  private static final Set<String> TIMED =
      Set.of(
          "WorkerHeartbeat",
          "ApplicationHeartbeat",
          "HeartbeatSeen",
          "RequestDriverStatus",
          "DriverStatusResponse",
          "WaitingForResources");

  @TempDir Path directory;
  private StandaloneCluster cluster;

  @BeforeEach
  void useDirectory() {
    cluster = new StandaloneCluster(directory, directory);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.stop();
  }

  @Test
  void oneSparkPiIsTheDocumentedSequence() throws Exception {
    Path configuration =
        Files.writeString(
            directory.resolve("log4j2.properties"),
            """
            rootLogger.level = warn
            rootLogger.appenderRef.err.ref = err
            appender.err.type = Console
            appender.err.name = err
            appender.err.target = SYSTEM_ERR
            appender.err.layout.type = PatternLayout
            appender.err.layout.pattern = %d{HH:mm:ss.SSS} messages: %m%n
            logger.messages.name = io.kiln.standalone.messages
            logger.messages.level = debug
            """);
    String url = cluster.startMaster(0, "-Dlog4j2.configurationFile=" + configuration);
    cluster.startWorkers(url, 1);
    Path log = cluster.logOf(StandaloneCluster.MASTER_CLASS);
    StandaloneCluster.await(() -> Files.readString(log).contains("RegisteredWorker"));

    Result submitted =
        cluster
            .spark(
                url,
                "--deploy-mode",
                "cluster",
                "-c",
                "spark.standalone.submit.waitAppCompletion=true",
                "--driver-memory",
                "256m",
                "--executor-memory",
                "512m",
                "--class",
                "io.kiln.examples.SparkPi",
                Layout.jars("examples/jars").getFirst(),
                2)
            .run();
    assertThat(submitted.exitCode()).as("%s", submitted).isZero();

    List<String> expected =
        all(
            DOCUMENTED,
            1,
            Files.readString(Layout.CHECKOUT.resolve("docs/standalone-messages.md")));
    List<String> all = withoutRepetitions(all(MESSAGE, 2, Files.readString(log)));
    // A worker that asked twice before it was answered is answered twice.
    List<String> seen =
        all.subList(
            all.indexOf("RequestSubmitDriver") - expected.indexOf("RequestSubmitDriver"),
            all.size());
    int ends = expected.indexOf("ApplicationFinished") + 1;
    assertThat(seen.subList(0, ends)).isEqualTo(expected.subList(0, ends));
    // From then on, two processes end at the same time.
    assertThat(seen.subList(ends, seen.size()))
        .containsExactlyInAnyOrderElementsOf(expected.subList(ends, expected.size()));
  }

  /// A worker may ask twice before it is answered.
  private static List<String> withoutRepetitions(List<String> names) {
    List<String> changes = new ArrayList<>();
    for (String name : names) {
      if (changes.isEmpty() || !changes.getLast().equals(name)) {
        changes.add(name);
      }
    }
    return changes;
  }

  private static List<String> all(Pattern pattern, int group, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      if (!TIMED.contains(matcher.group(group))) {
        found.add(matcher.group(group));
      }
    }
    return found;
  }
}
