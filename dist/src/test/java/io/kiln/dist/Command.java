package io.kiln.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One real process, in an environment that has nothing of ours in it.
final class Command {

  private static final long LIMIT_SECONDS = 120;

  /// @param out, err all that it printed
  record Result(int exitCode, String out, String err) {}

  private final ProcessBuilder builder;
  private final Path directory;

  /// @param directory for the files that hold the output
  Command(Path directory, Object... words) {
    List<String> command = new ArrayList<>();
    for (Object word : words) {
      command.add(word.toString());
    }
    this.builder = new ProcessBuilder(command).directory(directory.toFile());
    this.directory = directory;
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SPARK_") || name.startsWith("KILN_"));
    // Tests copy installations to directories that go with the test.
    builder.environment().put("KILN_AOT_CACHES", "off");
  }

  Command with(String variable, Object value) {
    builder.environment().put(variable, value.toString());
    return this;
  }

  /// Runs as the user `nobody`, without groups; only root can.
  Command asNobody() {
    builder
        .command()
        .addAll(0, List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"));
    return this;
  }

  Command in(Path workingDirectory) {
    builder.directory(workingDirectory.toFile());
    return this;
  }

  Map<String, String> environment() {
    return builder.environment();
  }

  Command redirectError(Path file) {
    builder.redirectError(file.toFile());
    return this;
  }

  /// Has what it prints to its error stream among what it prints to the other.
  Command mergeError() {
    builder.redirectErrorStream(true);
    return this;
  }

  /// What it finds on its standard input; nothing otherwise.
  Command withInput(String text) throws IOException {
    Path file = Files.createTempFile(directory, "in", "");
    builder.redirectInput(Files.writeString(file, text).toFile());
    return this;
  }

  /// As from a terminal: where the tests run in the background, an interrupt is ignored, and what
  /// is started there would ignore it too.
  Process start() throws IOException {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
    words.addAll(builder.command());
    return builder.command(words).start();
  }

  Result run() throws IOException, InterruptedException {
    return runWithin(LIMIT_SECONDS);
  }

  Result runWithin(long limitSeconds) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor(limitSeconds, TimeUnit.SECONDS)).as("ended in time").isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
