package io.kiln.daemon.worker;

import io.kiln.process.ProcessSecrets;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process that the worker has started. Thread-safe.
final class RunningProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RunningProcess.class);
  private static final String OUT = "stdout";
  private static final String ERR = "stderr";

  /// The files to which processes print.
  static final List<String> PRINTED = List.of(OUT, ERR);

  /// Processes that it has left behind may hold its output open.
  private static final Duration OUTPUT_ENDS_WITHIN = Duration.ofSeconds(5);

  private final Process process;
  private final Duration endsWithin;
  private final List<Thread> copying;

  /// Sends its output to `stdout` and `stderr` in the directory.
  ///
  /// @param rolling empty: it writes there itself
  /// @throws IOException if it can't be started
  static RunningProcess start(
      ProcessBuilder builder, Path directory, Duration endsWithin, Optional<LogRolling> rolling)
      throws IOException {
    if (rolling.isEmpty()) {
      builder.redirectOutput(Redirect.appendTo(directory.resolve(OUT).toFile()));
      builder.redirectError(Redirect.appendTo(directory.resolve(ERR).toFile()));
      return new RunningProcess(builder.start(), endsWithin, List.of());
    }
    Process process = builder.start();
    return new RunningProcess(
        process,
        endsWithin,
        List.of(
            copy(process.getInputStream(), directory.resolve(OUT), rolling.get()),
            copy(process.getErrorStream(), directory.resolve(ERR), rolling.get())));
  }

  private static Thread copy(InputStream printed, Path file, LogRolling rolling) {
    RollingLog log = new RollingLog(file, rolling, InstantSource.system(), ZoneId.systemDefault());
    return Thread.ofVirtual().name("kiln-log-" + file).start(() -> log.copy(printed));
  }

  private RunningProcess(Process process, Duration endsWithin, List<Thread> copying) {
    this.process = process;
    this.endsWithin = endsWithin;
    this.copying = copying;
  }

  /// Hands secrets to it. May block until it reads them, or has ended.
  void give(Map<String, String> secrets) {
    try {
      ProcessSecrets.give(secrets, process);
    } catch (IOException e) {
      LOG.debug("Process {} ended before it had read its secrets", process.pid(), e);
    }
  }

  /// @param ended hears the exit code, on a thread of its own, once; all that it printed is in its
  ///     files then
  void watch(String name, Consumer<Integer> ended) {
    Thread.ofVirtual().name("kiln-watch-" + name).start(() -> ended.accept(await()));
  }

  private int await() {
    try {
      int exitCode = process.waitFor(); // not onExit, which others can hold up in the common pool
      for (Thread copy : copying) {
        boolean _ = copy.join(OUTPUT_ENDS_WITHIN);
      }
      return exitCode;
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
