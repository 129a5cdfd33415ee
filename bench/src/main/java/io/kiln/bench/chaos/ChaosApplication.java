package io.kiln.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One application on its way: from its submission to what became of it.
///
/// @param seed names it, too
/// @param onCluster whether its driver runs on the cluster
record ChaosApplication(ChaosCluster cluster, Path jar, int seed, boolean onCluster) {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /// What became of it.
  ///
  /// @param right whether it ended well with the right result
  /// @param good whether it is right, or has said why it is not
  /// @param text one line
  record Verdict(boolean right, boolean good, String text) {}

  /// Submits it and waits for its end.
  Verdict run() throws IOException, InterruptedException {
    Path directory = Files.createDirectory(cluster.directory().resolve("clients/" + seed));
    Path output = cluster.directory().resolve("output-" + seed);
    Path told = directory.resolve("told");
    Process process =
        cluster
            .configured(new ProcessBuilder(command(output)))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return new Verdict(false, false, "has not ended within " + TIMEOUT.toMinutes() + " minutes");
    }
    return judge(process.exitValue(), ChaosJob.isRight(output, seed), Files.readAllLines(told));
  }

  private List<String> command(Path output) {
    List<String> words = new ArrayList<>();
    words.add(cluster.home().resolve("bin/spark-submit").toString());
    words.addAll(List.of("--master", cluster.url(), "--class", ChaosJob.class.getName()));
    words.addAll(List.of("--executor-memory", "512m", "--driver-memory", "256m"));
    words.addAll(List.of("-c", "spark.executor.cores=1", "-c", "spark.cores.max=2"));
    words.addAll(List.of("-c", "spark.ui.showConsoleProgress=false"));
    words.addAll(List.of("-c", "spark.kiln.deploy.secretFile=" + cluster.secret()));
    if (onCluster) {
      words.addAll(List.of("--deploy-mode", "cluster"));
      words.addAll(List.of("-c", "spark.standalone.submit.waitAppCompletion=true"));
    }
    words.addAll(List.of(jar.toString(), output.toString(), Integer.toString(seed)));
    return words;
  }

  private Verdict judge(int exitCode, boolean right, List<String> told) {
    String mode = onCluster ? "cluster mode" : "client mode";
    if (exitCode == 0) {
      return new Verdict(
          right, right, mode + ", " + (right ? "right" : "exit code 0 WITHOUT its result"));
    }
    String reason =
        told.stream()
            .filter(line -> line.matches("(?i).*(error|exception|failed|killed|lost|ended).*"))
            .reduce((_, last) -> last)
            .orElse("");
    boolean saidSo = !reason.isEmpty();
    return new Verdict(
        false,
        saidSo,
        mode
            + ", exit code "
            + exitCode
            + (right ? ", after its result was saved" : "")
            + (saidSo ? ": " + reason.strip() : " WITHOUT a reason"));
  }
}
