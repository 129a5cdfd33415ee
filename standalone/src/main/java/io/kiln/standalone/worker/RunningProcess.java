package io.kiln.standalone.worker;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// A process that the worker has started. Thread-safe.
final class RunningProcess {
  private final Process process;
  private final Duration endsWithin;

  /// Sends its output to `stdout` and `stderr` in the directory.
  ///
  /// @throws IOException if it can't be started
  static RunningProcess start(ProcessBuilder builder, Path directory, Duration endsWithin)
      throws IOException {
    Process process =
        builder
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("stdout").toFile()))
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("stderr").toFile()))
            .start();
    return new RunningProcess(process, endsWithin);
  }

  private RunningProcess(Process process, Duration endsWithin) {
    this.process = process;
    this.endsWithin = endsWithin;
  }

  /// @param ended hears the exit code, on a thread of its own, once
  void watch(String name, Consumer<Integer> ended) {
    Thread.ofVirtual().name("kiln-watch-" + name).start(() -> ended.accept(await()));
  }

  private int await() {
    try {
      return process.waitFor(); // not onExit, which others can hold up in the common pool
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts this thread
    }
  }

  /// By SIGTERM, and by SIGKILL if that takes too long. Returns at once.
  void stop(String name) {
    Thread.ofVirtual().name("kiln-stop-" + name).start(this::stopAndWait);
  }

  /// As [#stop]; returns when it has ended.
  void stopAndWait() {
    process.destroy();
    try {
      if (!process.waitFor(endsWithin)) {
        process.destroyForcibly();
        process.waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
