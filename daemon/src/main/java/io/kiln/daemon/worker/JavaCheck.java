package io.kiln.daemon.worker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Starts a JVM that does nothing, as executors and drivers are started.
///
/// @param directory in which
/// @param environment that it has
record JavaCheck(Path directory, ChildEnvironment environment) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// @throws IOException if it does not run
  void run() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-Xshare:auto", "-Xint", "-version")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    environment.apply(builder, List.of());
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE)) {
        process.destroyForcibly();
        throw new IOException(java + " does not answer within " + PATIENCE.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(java + " ends with exit code " + process.exitValue());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + java + " was tried", e);
    }
  }
}
