package io.kiln.standalone.submit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kiln.submit.SparkSubmit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `spark-submit` in a JVM of its own.
final class SubmitProcess {

  /// What it left.
  record Ended(int exitCode, String said) {}

  private SubmitProcess() {}

  /// @param directory in which it runs
  /// @param masters after `spark://`
  /// @param conf a file of settings
  static Ended run(Path directory, String masters, Path conf, String... words)
      throws IOException, InterruptedException {
    List<String> command = java();
    command.addAll(List.of(SparkSubmit.class.getName(), "--master", "spark://" + masters));
    command.addAll(List.of("--properties-file", conf.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(directory.toFile());
    builder.environment().put("SPARK_TEST", "x");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), said);
  }

  /// A command with this JVM's class path, as far as the main class.
  static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }
}
